import { useLingui } from '@lingui/react/macro';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { choices } from '#web/player/choices.ts';
import { isTyping } from '#web/ui/typing.ts';
import styles from './SearchBox.module.css';

const typedMs = 300;
const page = '/search/';
const isSearchPage = (pathname: string) => pathname.replace(/\/?$/, '/') === page;

/** Where one searches, from everywhere: Enter leads to what is found; there, typing is enough. */
export function SearchBox() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const isHere = isSearchPage(pathname);
  const inAddress = isHere ? (search.get('query') ?? '') : '';
  const [text, setText] = useState(inAddress);
  const [known, setKnown] = useState(inAddress);
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The address was changed elsewhere: by a chip, an example, the way back.
  if (known !== inAddress) {
    setKnown(inAddress);
    if (inAddress !== text.trim()) setText(inAddress);
  }
  useEffect(() => {
    if (isHere) box.current?.focus();
  }, [isHere]);
  useEffect(() => {
    const look = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || choices().keys === 'off')
        return;
      event.preventDefault();
      if (box.current?.checkVisibility()) {
        box.current.focus();
        box.current.select();
      } else void navigate(page);
    };
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, [navigate]);
  const go = (query: string) => {
    clearTimeout(timer.current);
    const words = new URLSearchParams(isHere ? search : undefined);
    words.delete('page');
    if (query.trim()) words.set('query', query.trim());
    else words.delete('query');
    const after = words.toString();
    void navigate(after ? `${page}?${after}` : page, { replace: isHere });
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    if (isHere) timer.current = setTimeout(() => go(next), typedMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <form
      role="search"
      className={`${styles.search} ${isHere ? styles.here : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) go(text);
      }}
    >
      <IconSearch aria-hidden />
      <input
        ref={box}
        type="search"
        aria-label={t`Search`}
        placeholder={t`Search titles, names and what is spoken`}
        value={text}
        maxLength={2000}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => type(event.target.value)}
      />
      {text === '' ? (
        <kbd aria-hidden>/</kbd>
      ) : (
        <button
          type="button"
          aria-label={t`Clear the search`}
          onClick={() => {
            type('');
            box.current?.focus();
          }}
        >
          <IconX aria-hidden />
        </button>
      )}
    </form>
  );
}
