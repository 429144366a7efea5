(() => {
  'use strict';
  // The first message names what is shown now; a later one, or one from a server started again, means: show it again.
  let shown;
  new EventSource('/-/changes').onmessage = (message) => {
    if (shown !== undefined && shown !== message.data) location.reload();
    shown = message.data;
  };
})();
