import { useEffect } from 'react';

const historySize = 20;
const disabledMs = 300;
const canTakeFocus = 'a, button, input, select, textarea, summary, [tabindex]';

// Focusing a text field would open the on-screen keyboard of a phone.
const isField = (one: Element) => one.matches('textarea, input:not([type=checkbox], [type=radio])');
const isUsable = (one: Element) => one.isConnected && !one.matches(':disabled');

/** Returns the neighbour of a removed list item. The item itself gets the focus, so that Enter triggers nothing in it. */
function findNeighbour(item: Element, records: MutationRecord[]) {
  const record = records.find(({ removedNodes }) => [...removedNodes].includes(item));
  return [record?.nextSibling, record?.previousSibling].find((one) => one instanceof HTMLElement && one.isConnected);
}

/** Watches the focus. Returns a function that stops it. */
function watchFocus(): () => void {
  const history: HTMLElement[] = [];
  let isByKeys = false;
  let isInPlayer = false;
  // The user clicked on no element: nothing gets the focus then.
  let isReleased = false;
  let timer = 0;
  const focus = (to: HTMLElement | null) => {
    if (!to) return;
    if (!to.matches(canTakeFocus)) to.tabIndex = -1;
    to.focus({ preventScroll: !isByKeys });
  };
  // There is no page while the app shows that the server fails.
  const fallback = () => document.querySelector<HTMLElement>('dialog[open] h2, #page');
  const restoreFocus = () => {
    const container = document.querySelector('dialog[open]') ?? document.body;
    const canFocus = (one: HTMLElement) =>
      isUsable(one) && container.contains(one) && one.checkVisibility() && (isByKeys || !isField(one));
    focus(history.findLast(canFocus) ?? fallback());
  };
  const onMutation = (records: MutationRecord[]) => {
    const last = history.at(-1);
    const { activeElement } = document;
    if (!last || isReleased || (activeElement !== document.body && activeElement !== last)) return;
    if (isUsable(last)) {
      // The element was busy and is enabled again.
      if (activeElement !== last && records.some(({ target }) => target === last)) focus(last);
    } else if (last.isConnected) {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        const isStill = history.at(-1) === last && document.activeElement === document.body;
        if (isStill && last.isConnected && !isUsable(last) && last.ariaBusy !== 'true') restoreFocus();
      }, disabledMs);
    } else if (!isInPlayer || !document.querySelector('[data-player]')) {
      // The player restores its own focus (player-store.ts): the mini player has other buttons.
      const item = last.closest('li, tr');
      if (!item || item.isConnected) restoreFocus();
      // In an infinite list the item may only be scrolled out; use-list-shortcuts.ts keeps its keys working.
      else if (!item.matches('[data-at]') || !document.querySelector('[data-endless]'))
        focus((findNeighbour(item, records) as HTMLElement | undefined) ?? fallback());
    }
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    isReleased = false;
    isByKeys = target.matches(':focus-visible');
    isInPlayer = target.closest('[data-player]') !== null;
    history.push(target);
    if (history.length > historySize) history.shift();
  };
  // Chromium fires blur while it removes the element; only afterwards is it known whether the user moved the focus.
  const onBlur = ({ target }: FocusEvent) =>
    setTimeout(() => {
      if (document.activeElement === document.body && target instanceof Element && isUsable(target)) isReleased = true;
    });
  const observer = new MutationObserver(onMutation);
  const attributeFilter = ['disabled', 'aria-busy'];
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter });
  document.addEventListener('focusin', onFocus);
  document.addEventListener('focusout', onBlur);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('focusout', onBlur);
    clearTimeout(timer);
  };
}

/**
 * Restores the focus when the focused element is removed or disabled: to the neighbouring list item, or to the previously
 * focused element. Otherwise keyboard and screen reader users would start at the top of the page again.
 */
export const useRestoreFocus = () => useEffect(watchFocus, []);
