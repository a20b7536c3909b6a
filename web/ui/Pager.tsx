import { useLingui } from '@lingui/react/macro';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useCallback, useEffect, useRef } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';
import { useQueryParams } from './use-search-params.ts';
import { IconButton } from './Button.tsx';
import { isTyping } from './is-typing.ts';
import { useToast } from './toasts.tsx';
import styles from './Pager.module.css';

type SetPage = (page: number, options?: NavigateOptions) => void;

const numberOfPages = (total: number, size: number) => Math.max(1, Math.ceil(total / size));

/** The page number in the URL; 0 is the first page and is omitted. */
export function usePage(): [page: number, setPage: SetPage] {
  const [search, setParams] = useQueryParams();
  const page = Math.max(0, Number.parseInt(search.get('page') ?? '0', 10) || 0);
  const setPage = useCallback<SetPage>(
    (next, options) => {
      setParams({ page: next > 1 ? String(next) : null }, options);
      scrollTo({ top: 0 });
    },
    [setParams],
  );
  return [page, setPage];
}

/**
 * Corrects the page number in the URL: removes an invalid one, and replaces one beyond the end by the last page. It says so if the
 * page was requested by its number: a page can also become empty because its last item was deleted.
 */
export function useExistingPage({
  data,
  isPlaceholderData,
}: {
  data: { paginate: { total_hits: number; page_size: number } } | undefined;
  isPlaceholderData: boolean;
}): void {
  const { t } = useLingui();
  const [search] = useSearchParams();
  const [page, setPage] = usePage();
  const showToast = useToast();
  const shownPage = useRef<number>(undefined);
  const text = search.get('page');
  const isValid = text === null || (page > 1 && text === String(page));
  const last = data && !isPlaceholderData ? numberOfPages(data.paginate.total_hits, data.paginate.page_size) : undefined;
  useEffect(() => {
    if (!isValid) return setPage(page, { replace: true });
    if (last === undefined) return;
    if (page <= last) {
      shownPage.current = page;
      return;
    }
    setPage(last, { replace: true });
    if (shownPage.current !== page) showToast(t`Page ${page} does not exist. This is the last page.`);
  }, [isValid, last, page, setPage, showToast, t]);
}

/** Pages that get a button: first, last and the neighbours of the current one; 0 is a gap. */
export function visiblePages(current: number, last: number): number[] {
  const candidates = [1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last);
  const sorted = [...new Set(candidates)].sort((a, b) => a - b);
  return sorted.flatMap((page, index) => {
    const previous = sorted[index - 1];
    if (previous === undefined || page - previous === 1) return [page];
    return page - previous === 2 ? [page - 1, page] : [0, page];
  });
}

interface Props {
  page: number;
  total: number;
  size: number;
  onChange(page: number): void;
}

const ownArrows = '[data-at], [role=radio], [role=slider], [role=tab], [role=listbox], video';

/** Turns pages with the arrow keys unless another element uses them. */
export function usePageKeys({ page, total, size, onChange }: Props) {
  const last = numberOfPages(total, size);
  const [search] = useSearchParams();
  const isPlaying = search.has('videoId');
  useEffect(() => {
    if (last <= 1 || isPlaying) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyping(event)) return;
      if (event.target instanceof Element && event.target.closest(ownArrows)) return;
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
      const next = Math.max(1, page) + (document.dir === 'rtl' ? -step : step);
      if (step !== 0 && next >= 1 && next <= last) onChange(next);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page, last, isPlaying, onChange]);
}

/** Pagination; renders nothing for a single page. */
export function Pager({ page, total, size, onChange }: Props) {
  const { t } = useLingui();
  const last = numberOfPages(total, size);
  const current = Math.max(1, page);
  if (last <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={t`Pages`}>
      <IconButton label={t`Previous page`} disabled={current <= 1} onClick={() => onChange(current - 1)}>
        <IconChevronLeft aria-hidden />
      </IconButton>
      {visiblePages(current, last).map((shown, index) =>
        shown === 0 ? (
          <span key={`gap ${index}`} className={styles.gap}>
            …
          </span>
        ) : (
          <button
            key={shown}
            type="button"
            className={`${styles.page} number`}
            aria-current={shown === current ? 'page' : undefined}
            aria-label={t`Page ${shown}`}
            onClick={() => onChange(shown)}
          >
            {shown}
          </button>
        ),
      )}
      <IconButton label={t`Next page`} disabled={current >= last} onClick={() => onChange(current + 1)}>
        <IconChevronRight aria-hidden />
      </IconButton>
    </nav>
  );
}
