// Puts an interactive chart in the place of each static picture. Nothing here is needed to read the page: with scripts
// off, on paper, or if a chart fails, the static pictures show the same.
(() => {
  'use strict';
  if (!window.echarts) return;

  const dark = matchMedia('(prefers-color-scheme: dark)');
  const narrow = 520; // pixels; page.css switches the static pictures at the same width
  const themes = JSON.parse(document.getElementById('page:themes').textContent);
  const live = new Map(); // picture -> draw again

  function enliven(picture) {
    const options = JSON.parse(document.getElementById(picture.dataset.options).textContent);
    const place = document.createElement('div');
    place.className = 'live';
    let chart, size;

    // The live chart takes exactly the room of the static picture, so that the text does not jump.
    function measure() {
      const width = picture.clientWidth;
      const shape = width < narrow ? 'narrow' : 'wide';
      const svg = picture.querySelector(`.static.${shape} svg`) || picture.querySelector('.static svg');
      const box = svg.viewBox.baseVal;
      const ratio = box && box.width ? box.height / box.width : svg.getAttribute('height') / svg.getAttribute('width');
      return { width, height: Math.round(width * ratio), shape };
    }

    function draw() {
      if (!picture.clientWidth) return; // on paper, or hidden
      size = measure();
      picture.append(place);
      if (chart) chart.dispose();
      chart = window.echarts.init(place, dark.matches ? themes.dark : themes.light, { renderer: 'svg', width: size.width, height: size.height });
      const option = options[size.shape];
      chart.setOption(Object.assign({ animation: false }, option));
      picture.classList.add('is-live');
    }

    function fit() {
      if (!chart) return draw();
      const now = measure();
      if (!now.width || (now.width === size.width && now.height === size.height)) return;
      if (now.shape !== size.shape) return draw();
      size = now;
      chart.resize({ width: now.width, height: now.height });
    }

    function safely(step) {
      try {
        step();
      } catch (error) {
        picture.classList.remove('is-live'); // the static picture is back
        place.remove();
        resized.disconnect();
        live.delete(picture);
        throw error;
      }
    }

    const resized = new ResizeObserver(() => safely(fit));
    safely(draw);
    live.set(picture, () => safely(draw));
    resized.observe(picture);
  }

  // A chart is drawn when it comes near: a long page opens at once.
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      enliven(entry.target);
    }
  }, { rootMargin: '300px' });
  for (const picture of document.querySelectorAll('[data-options]')) seen.observe(picture);

  dark.addEventListener('change', () => {
    for (const redraw of live.values()) redraw();
  });

  // On paper the style shows every static picture, drawn or not; only the closed tables need a hand.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('figure details:not([open])')];
    for (const details of closed) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of closed) details.open = false;
  });
})();
