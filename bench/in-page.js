// Runs in every page before anything else of it: browsers tell these figures only to who listens from the beginning.
const seen = { largest: 0, blocking: 0, shift: 0, slowFrames: 0, clicked: 0 };

const observe = (type, note) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
observe('largest-contentful-paint', ({ startTime }) => (seen.largest = startTime));
observe('longtask', ({ duration }) => (seen.blocking += Math.max(0, duration - 50)));
observe('layout-shift', ({ value, hadRecentInput }) => (seen.shift += hadRecentInput ? 0 : value));
addEventListener('click', () => (seen.clicked = performance.now()), true);

globalThis.figures = {
  /** What bench/pages.ts calls PageFigures. */
  tell: () => ({
    scriptBytes: performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    firstContentfulPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    largestContentfulPaint: seen.largest,
    totalBlocking: seen.blocking,
    layoutShift: seen.shift,
  }),

  /** From the last click until a video shows a picture. */
  clickToFrame: () =>
    new Promise((resolve) => {
      const look = () => {
        const video = document.querySelector('video');
        if (video) video.requestVideoFrameCallback(() => resolve(performance.now() - seen.clicked));
        else requestAnimationFrame(look);
      };
      look();
    }),

  /**
   * Scrolls down as a wheel does, by so many pixels a frame, until so many cards have passed; answers how long the longest frame
   * took, and the most cards at once.
   */
  scroll: (cards, pixels) =>
    new Promise((resolve) => {
      const [passed, longest, most] = [new Set(), [], []];
      let before = performance.now();
      const step = () => {
        const now = performance.now();
        longest.push(now - before);
        before = now;
        const shown = document.querySelectorAll('main [data-at]');
        most.push(shown.length);
        for (const card of shown) passed.add(card.dataset.at);
        if (passed.size >= cards || longest.length > 60_000)
          return resolve({
            passed: passed.size,
            frames: longest.length,
            longest: Math.max(...longest.slice(5)),
            slow: longest.slice(5).filter((time) => time > 50).length,
            most: Math.max(...most),
          });
        scrollBy(0, pixels);
        return requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    }),
};
