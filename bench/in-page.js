// Runs before all scripts of a page, because browsers report these values only to observers that are registered from the start.
const recorded = { largest: 0, blocking: 0, shift: 0, shifted: [], slowFrames: 0, clicked: 0 };

const observe = (type, note) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
observe('largest-contentful-paint', ({ startTime }) => (recorded.largest = startTime));
observe('longtask', ({ duration }) => (recorded.blocking += Math.max(0, duration - 50)));
observe('layout-shift', ({ value, hadRecentInput, sources }) => {
  if (hadRecentInput) return;
  recorded.shift += value;
  const names = sources.map(({ node }) => (node instanceof Element ? `${node.tagName}.${node.className}` : '#text'));
  recorded.shifted.push(`${value.toFixed(3)} ${names.join(', ')}`);
});
addEventListener('click', () => (recorded.clicked = performance.now()), true);

globalThis.figures = {
  /** The fields of PageFigures in bench/pages.ts. */
  metrics: () => ({
    scriptBytes: performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    firstContentfulPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    largestContentfulPaint: recorded.largest,
    totalBlocking: recorded.blocking,
    layoutShift: recorded.shift,
  }),

  /** The layout shift and the elements that moved. */
  shift: () => ({ value: recorded.shift, moved: recorded.shifted }),

  /** Milliseconds from the last click to the first video frame. */
  clickToFrame: () =>
    new Promise((resolve) => {
      const look = () => {
        const video = document.querySelector('video');
        if (video) video.requestVideoFrameCallback(() => resolve(performance.now() - recorded.clicked));
        else requestAnimationFrame(look);
      };
      look();
    }),

  /**
   * Scrolls down by a number of pixels per frame until this many cards have passed. Returns the longest frame and the maximum
   * number of cards in the page.
   */
  scroll: (cards, pixels) =>
    new Promise((resolve) => {
      const [passed, longest, cardCounts] = [new Set(), [], []];
      let before = performance.now();
      const step = () => {
        const now = performance.now();
        longest.push(now - before);
        before = now;
        const visibleCards = document.querySelectorAll('main [data-at]');
        cardCounts.push(visibleCards.length);
        for (const card of visibleCards) passed.add(card.dataset.at);
        if (passed.size >= cards || longest.length > 60_000)
          return resolve({
            passed: passed.size,
            frames: longest.length,
            longest: Math.max(...longest.slice(5)),
            slow: longest.slice(5).filter((time) => time > 50).length,
            maxCards: Math.max(...cardCounts),
          });
        scrollBy(0, pixels);
        return requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    }),
};
