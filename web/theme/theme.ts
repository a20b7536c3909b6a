import { useEffect } from 'react';
import type { UserConfig } from '#contract/user.ts';
import { setStored, getStored } from '#web/ui/use-local-storage.ts';

const storageKey = 'reelkeep.theme';
const known = ['system', 'dark', 'light', 'midnight', 'matrix', 'custom'];
const prefersLight = matchMedia('(prefers-color-scheme: light)');

const nameOf = (stylesheet: string) => {
  const name = stylesheet.replace(/\.css$/, '');
  return known.includes(name) ? name : 'system';
};

// `?theme=dark` in the address overrides the chosen theme until the page is loaded without it, for example to recover from an
// unreadable custom theme.
const parameter = new URLSearchParams(location.search).get('theme');
const inAddress = parameter !== null && known.includes(parameter) && parameter !== 'custom' ? parameter : null;

const own = new CSSStyleSheet();

/** Lays a person's own CSS over the theme; it can only change how things look, for themselves. */
function layOver(css: string | null) {
  own.replaceSync(css ?? '');
  const others = document.adoptedStyleSheets.filter((sheet) => sheet !== own);
  document.adoptedStyleSheets = css ? [...others, own] : others;
}

function show(theme: string, css: string | null = null) {
  const chosen = inAddress ?? theme;
  const system = prefersLight.matches ? 'light' : 'dark';
  const shown = chosen === 'system' ? system : chosen;
  document.documentElement.dataset['theme'] = shown;
  layOver(shown === 'custom' ? css : null);
  const ground = getComputedStyle(document.documentElement).getPropertyValue('--ground').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ground);
}

/** Applies the theme that this browser used last; used before login. The script in `index.html` has set its name already. */
export const showStoredTheme = () => show(nameOf(getStored(storageKey) ?? 'system'));

/** Applies the theme of the user. */
export function useTheme(config: Pick<UserConfig, 'stylesheet' | 'custom_css'> | undefined) {
  const { stylesheet, custom_css: css = null } = config ?? {};
  useEffect(() => {
    if (!stylesheet) return;
    const theme = nameOf(stylesheet);
    const apply = () => show(theme, css);
    apply();
    setStored(storageKey, theme);
    prefersLight.addEventListener('change', apply);
    return () => prefersLight.removeEventListener('change', apply);
  }, [stylesheet, css]);
}
