(() => {
  'use strict';
  // The server says which version it has; when that is not the one shown here, show it.
  const shown = document.querySelector('meta[name=preview]').content;
  new EventSource('/-/changes').onmessage = (message) => {
    if (message.data !== shown) location.reload();
  };
})();
