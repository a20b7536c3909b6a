import type { Locator, Page } from 'playwright-core';

// Checks that need the pixels of a page or its focused element.

interface Focused {
  name: string;
  wrong: string[];
}

/** Describes the focused element and its problems: no visible focus indicator, covered by another element, or out of tab order. */
const inspectFocus = (page: Page, isBack: boolean) =>
  page.evaluate<Focused | null>(`(async (isBack) => {
    const one = document.activeElement;
    if (!one || one === document.body) return null;
    // Focus wraps around at both ends of the page.
    const { lastFocused: last, firstFocused: first } = globalThis;
    if (first && (isBack ? last === first : one === first)) return null;
    const wrong = [];
    const hasIndicator = (of) => { const style = getComputedStyle(of);
      return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none'; };
    if (!hasIndicator(one) && !(one.parentElement?.matches(':focus-within') && hasIndicator(one.parentElement))) wrong.push('without a ring');
    const parts = [0.1, 0.5, 0.9];
    const isSeen = () => {
      const box = one.getBoundingClientRect();
      return parts.some((x) => parts.some((y) => {
        const found = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
        return found !== null && (one.contains(found) || one.closest('label')?.contains(found));
      }));
    };
    // Pictures that arrive meanwhile may move it; the browser scrolls it back with the next frame.
    if (!isSeen()) await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    if (!isSeen()) wrong.push('hidden');
    const way = isBack ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
    if (last?.isConnected && last !== one && !(last.compareDocumentPosition(one) & way)) wrong.push('out of turn');
    globalThis.lastFocused = one;
    return { name: one.tagName + ' ' + (one.ariaLabel ?? one.textContent ?? '').trim().slice(0, 40), wrong };
  })(${isBack})`);

/** Tabs through the whole page and back. Returns the problems and the number of focused elements. */
export async function walkByTab(page: Page, maxSteps = 40): Promise<{ met: number; wrong: string[] }> {
  const wrong: string[] = [];
  let met = 0;
  await page.evaluate(
    `scrollTo(0, 0), document.querySelector('a[href="#page"]').focus(), globalThis.firstFocused = document.activeElement`,
  );
  for (const key of ['Tab', 'Shift+Tab']) {
    await page.evaluate('globalThis.lastFocused = null');
    for (let step = 0; step < maxSteps; step++) {
      await page.keyboard.press(key);
      const found = await inspectFocus(page, key !== 'Tab');
      if (!found) break;
      met++;
      wrong.push(...found.wrong.map((what) => `${key} to ${found.name}: ${what}`));
    }
  }
  return { met, wrong };
}

/** Returns the pixels of a part of the page as RGB values. */
async function pixelsOf(page: Page, clip: { x: number; y: number; width: number; height: number }) {
  const png = await page.screenshot({ clip, animations: 'disabled' });
  const { width, values } = await page.evaluate<{ width: number; values: string }>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (one) => one.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let text = '';
    for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at], data[at + 1], data[at + 2]);
    return { width: image.width, values: btoa(text) };
  })()`);
  return { width, values: Buffer.from(values, 'base64') };
}

const light = (value: number) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([red = 0, green = 0, blue = 0]: number[]) =>
  0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue);

/** Returns the minimum contrast of a text to any pixel of its background. */
export async function leastContrast(page: Page, text: Locator): Promise<number> {
  const colour = await text.evaluate((one) => {
    const { style, ownerDocument } = one as unknown as { style: { cssText: string }; ownerDocument: { defaultView: never } };
    const view = ownerDocument.defaultView as { getComputedStyle(of: unknown): { color: string } };
    const { color } = view.getComputedStyle(one);
    style.cssText += '; color: transparent !important; text-shadow: none !important';
    return color;
  });
  const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  const { x, y, width, height } = (await text.boundingBox())!;
  // Excludes the corners, which may be rounded.
  const { values } = await pixelsOf(page, { x: x + 4, y: y + 2, width: width - 8, height: height - 4 });
  await text.evaluate((one) => void ((one as unknown as { style: { cssText: string } }).style.cssText = ''));
  let least = 21;
  for (let at = 0; at < values.length; at += 3) {
    const behind = [...values.subarray(at, at + 3)];
    const shown = [red, green, blue].map((value, part) => value * alpha + behind[part]! * (1 - alpha));
    const [dark = 0, bright = 0] = [luminance(behind), luminance(shown)].toSorted((a, b) => a - b);
    least = Math.min(least, (bright + 0.05) / (dark + 0.05));
  }
  return least;
}

/** Returns the lowest pixel row that `work` changes in a part of the page, in page pixels; null if nothing changes. */
export async function lowestChange(
  page: Page,
  clip: { x: number; y: number; width: number; height: number },
  work: () => Promise<unknown>,
): Promise<number | null> {
  const before = await pixelsOf(page, clip);
  await work();
  const after = await pixelsOf(page, clip);
  for (let at = after.values.length - 3; at >= 0; at -= 3)
    if (before.values.compare(after.values, at, at + 3, at, at + 3) !== 0) return clip.y + Math.floor(at / 3 / after.width);
  return null;
}

/** Records from now on the duration in milliseconds of every animation that starts on the page. */
export const noteMotion = (page: Page) =>
  page.evaluate(`(() => {
    globalThis.moved = [];
    const note = ({ target }) => moved.push(...target.getAnimations().map((one) => one.effect.getComputedTiming().duration));
    for (const event of ['transitionrun', 'animationstart']) document.addEventListener(event, note, true);
  })()`);
