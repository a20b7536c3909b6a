import { useLingui } from '@lingui/react/macro';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useIsStaff } from '#web/api/account.ts';
import { preferences } from '#web/player/state/player-preferences.ts';
import { isTyping } from '#web/ui/is-typing.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { isLinkOrHandle } from './extract-links.ts';
import type { SuggestionsHandle } from './SearchSuggestions.tsx';
import styles from './SearchBox.module.css';

const SearchSuggestions = lazyComponent(async () => (await import('./SearchSuggestions.tsx')).SearchSuggestions, 'optional');

const debounceMs = 300;
const page = '/search/';
const isSearchPage = (pathname: string) => pathname.replace(/\/?$/, '/') === page;

/**
 * Search field of every page. Suggestions appear while typing, and Enter opens the results; on the search page the results themselves
 * follow while typing. Enter on a link or @handle offers staff to add it.
 */
export function SearchBox({ onAdd }: { onAdd(text: string): void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isStaff = useIsStaff();
  const [search] = useSearchParams();
  const isSearchPageOpen = isSearchPage(pathname);
  const queryInAddress = isSearchPageOpen ? (search.get('query') ?? '') : '';
  const [text, setText] = useState(queryInAddress);
  const [known, setKnown] = useState(queryInAddress);
  const box = useRef<HTMLInputElement>(null);
  const suggestions = useRef<SuggestionsHandle>(null);
  const listId = useId();
  const [isSuggesting, setIsSuggesting] = useState(false);
  const [highlighted, setHighlighted] = useState<string>();
  const hasSuggestions = isSuggesting && !isSearchPageOpen && text.trim().length > 1;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The address was changed elsewhere: by a chip, an example, or the back button.
  if (known !== queryInAddress) {
    setKnown(queryInAddress);
    if (queryInAddress !== text.trim()) setText(queryInAddress);
  }
  useEffect(() => {
    if (isSearchPageOpen) box.current?.focus();
  }, [isSearchPageOpen]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || preferences().keys === 'off')
        return;
      event.preventDefault();
      if (box.current?.checkVisibility()) {
        box.current.focus();
        box.current.select();
      } else void navigate(page);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
  const submit = (query: string) => {
    clearTimeout(timer.current);
    const params = new URLSearchParams(isSearchPageOpen ? search : undefined);
    params.delete('page');
    if (query.trim()) params.set('query', query.trim());
    else params.delete('query');
    const after = params.toString();
    void navigate(after ? `${page}?${after}` : page, { replace: isSearchPageOpen });
  };
  const close = () => {
    setIsSuggesting(false);
    setHighlighted(undefined);
  };
  const go = (to: string) => {
    close();
    setText('');
    void navigate(to);
  };
  const type = (next: string) => {
    setText(next);
    setIsSuggesting(true);
    clearTimeout(timer.current);
    if (isSearchPageOpen) timer.current = setTimeout(() => submit(next), debounceMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <form
      role="search"
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && close()}
      className={`${styles.search} ${isSearchPageOpen ? styles.active : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        close();
        if (isStaff && isLinkOrHandle(text)) {
          clearTimeout(timer.current);
          onAdd(text.trim());
          setText('');
        } else if (text.trim()) submit(text);
      }}
    >
      <IconSearch aria-hidden />
      <input
        ref={box}
        type="search"
        aria-label={t`Search`}
        placeholder={t`Search titles, channels and spoken words`}
        value={text}
        maxLength={2000}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        enterKeyHint="search"
        {...(!isSearchPageOpen && {
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': hasSuggestions,
          'aria-controls': hasSuggestions ? listId : undefined,
          'aria-activedescendant': hasSuggestions ? highlighted : undefined,
        })}
        onKeyDown={(event) => {
          if (!hasSuggestions || event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') close();
          else if (!suggestions.current?.press(event.key)) return;
          event.preventDefault();
        }}
        onChange={(event) => type(event.target.value)}
      />
      {text === '' ? (
        <kbd aria-hidden>/</kbd>
      ) : (
        <button
          type="button"
          aria-label={t`Clear search`}
          onClick={() => {
            type('');
            box.current?.focus();
          }}
        >
          <IconX aria-hidden />
        </button>
      )}
      {hasSuggestions && <SearchSuggestions id={listId} text={text} ref={suggestions} go={go} onHighlight={setHighlighted} />}
    </form>
  );
}
