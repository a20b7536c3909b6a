import { useEffect } from 'react';
import type { UserConfig } from '#contract/user.ts';

const kept = 'reelkeep.theme';
const known = ['dark', 'light', 'midnight', 'matrix'];

const nameOf = (stylesheet: string) => {
  const name = stylesheet.replace(/\.css$/, '');
  return known.includes(name) ? name : 'dark';
};

function show(theme: string) {
  document.documentElement.dataset['theme'] = theme;
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--ground').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ground);
}

/** What this browser showed last, before anybody is logged in. */
export function showKeptTheme() {
  try {
    show(nameOf(localStorage.getItem(kept) ?? 'dark'));
  } catch {
    show('dark'); // storage may be forbidden; then every visit begins dark
  }
}

/** Shows the theme of the person. */
export function useTheme(stylesheet: UserConfig['stylesheet'] | undefined) {
  useEffect(() => {
    if (!stylesheet) return;
    const theme = nameOf(stylesheet);
    show(theme);
    try {
      localStorage.setItem(kept, theme);
    } catch {
      // the same: only the next visit begins dark
    }
  }, [stylesheet]);
}
