import { useEffect } from 'react';
import type { UserConfig } from '#contract/user.ts';
import { keep, readKept } from '#web/ui/kept.ts';

const kept = 'reelkeep.theme';
const known = ['dark', 'light', 'midnight', 'matrix', 'custom'];

const nameOf = (stylesheet: string) => {
  const name = stylesheet.replace(/\.css$/, '');
  return known.includes(name) ? name : 'dark';
};

// `?theme=dark` in the address goes before what was chosen until the page is loaded without it: the way back from a theme
// of one's own that shows nothing.
const asked = new URLSearchParams(location.search).get('theme');
const inAddress = asked !== null && known.includes(asked) && asked !== 'custom' ? asked : null;

const own = new CSSStyleSheet();

/** Lays a person's own CSS over the theme; it can only change how things look, for themselves. */
function layOver(css: string | null) {
  own.replaceSync(css ?? '');
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== own);
  document.adoptedStyleSheets = css ? [...others, own] : others;
}

function show(theme: string, css: string | null = null) {
  const shown = inAddress ?? theme;
  document.documentElement.dataset['theme'] = shown;
  layOver(shown === 'custom' ? css : null);
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--ground').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ground);
}

/** What this browser showed last, before anybody is logged in; dark when it kept nothing. */
export const showKeptTheme = () => show(nameOf(readKept(kept) ?? 'dark'));

/** Shows the theme of the person. */
export function useTheme(config: Pick<UserConfig, 'stylesheet' | 'custom_css'> | undefined) {
  const { stylesheet, custom_css: css = null } = config ?? {};
  useEffect(() => {
    if (!stylesheet) return;
    const theme = nameOf(stylesheet);
    show(theme, css);
    keep(kept, theme);
  }, [stylesheet, css]);
}
