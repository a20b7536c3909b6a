import { useEffect } from 'react';

const remembered = 20;
const leftMs = 300;
const canTakeFocus = 'a, button, input, select, textarea, summary, [tabindex]';

// Of a phone it would open the keyboard, over what somebody wants to see.
const isField = (one: Element) => one.matches('textarea, input:not([type=checkbox], [type=radio])');
const isUsable = (one: Element) => one.isConnected && !one.matches(':disabled');

/** Where to go from an item of a list that went: to the one beside it as a whole, so that Enter does nothing to that. */
function beside(item: Element, records: MutationRecord[]) {
  const record = records.find(({ removedNodes }) => [...removedNodes].includes(item));
  return [record?.nextSibling, record?.previousSibling].find((one) => one instanceof HTMLElement && one.isConnected);
}

/** Keeps an eye on what has the focus. Answers what ends that. */
function keepFocus(): () => void {
  const been: HTMLElement[] = [];
  let isByKeys = false;
  let isInPlayer = false;
  // Somebody clicked beside everything: then nothing is to have the focus.
  let isLeft = false;
  let waiting = 0;
  const go = (to: HTMLElement) => {
    if (!to.matches(canTakeFocus)) to.tabIndex = -1;
    to.focus({ preventScroll: !isByKeys });
  };
  const page = () => document.querySelector<HTMLElement>('dialog[open] h2, #page')!;
  const back = () => {
    const over = document.querySelector('dialog[open]') ?? document.body;
    const mayHave = (one: HTMLElement) =>
      isUsable(one) && over.contains(one) && one.checkVisibility() && (isByKeys || !isField(one));
    go(been.findLast(mayHave) ?? page());
  };
  const look = (records: MutationRecord[]) => {
    const last = been.at(-1);
    const { activeElement } = document;
    if (!last || isLeft || (activeElement !== document.body && activeElement !== last)) return;
    if (isUsable(last)) {
      // It was busy, and is there again.
      if (activeElement !== last && records.some(({ target }) => target === last)) go(last);
    } else if (last.isConnected) {
      clearTimeout(waiting);
      waiting = window.setTimeout(() => {
        const isStill = been.at(-1) === last && document.activeElement === document.body;
        if (isStill && last.isConnected && !isUsable(last) && last.ariaBusy !== 'true') back();
      }, leftMs);
    } else if (!isInPlayer || !document.querySelector('[data-player]')) {
      // The player, which has other buttons in the corner, takes its focus itself (stage.ts).
      const item = last.closest('li, tr');
      if (!item || item.isConnected) back();
      // In a list without end it may only be out of sight: its keys go on (list-keys.ts).
      else if (!item.matches('[data-at]') || !document.querySelector('[data-endless]'))
        go((beside(item, records) as HTMLElement | undefined) ?? page());
    }
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    isLeft = false;
    isByKeys = target.matches(':focus-visible');
    isInPlayer = target.closest('[data-player]') !== null;
    been.push(target);
    if (been.length > remembered) been.shift();
  };
  // Chromium says so while it takes the element away: only afterwards it can be seen whether somebody left it.
  const onBlur = ({ target }: FocusEvent) =>
    setTimeout(() => {
      if (document.activeElement === document.body && target instanceof Element && isUsable(target)) isLeft = true;
    });
  const observer = new MutationObserver(look);
  const attributeFilter = ['disabled', 'aria-busy'];
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter });
  document.addEventListener('focusin', onFocus);
  document.addEventListener('focusout', onBlur);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('focusout', onBlur);
    clearTimeout(waiting);
  };
}

/**
 * Where what has the focus goes from the page, or can be used no longer, the focus goes to the item beside it, or back to where
 * it was before: without that, whoever goes by keys or listens would be at the top of the page again.
 */
export const useFocusStays = () => useEffect(keepFocus, []);
