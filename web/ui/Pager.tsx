import { useLingui } from '@lingui/react/macro';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useCallback, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useAddress } from './address.ts';
import { IconButton } from './Button.tsx';
import { isTyping } from './typing.ts';
import styles from './Pager.module.css';

/** The page in the address; 0 is the first, and is not written there. */
export function usePage(): [page: number, setPage: (page: number) => void] {
  const [search, put] = useAddress();
  const page = Math.max(0, Number.parseInt(search.get('page') ?? '0', 10) || 0);
  const setPage = useCallback(
    (next: number) => {
      put({ page: next > 1 ? String(next) : null });
      scrollTo({ top: 0 });
    },
    [put],
  );
  return [page, setPage];
}

/** The pages worth a button: the first, the last, and those around this one; 0 stands for a gap. */
export function pagesShown(current: number, last: number): number[] {
  const wanted = [1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last);
  const sorted = [...new Set(wanted)].sort((a, b) => a - b);
  return sorted.flatMap((page, place) => {
    const before = sorted[place - 1];
    if (before === undefined || page - before === 1) return [page];
    return page - before === 2 ? [page - 1, page] : [0, page];
  });
}

interface Props {
  page: number;
  total: number;
  size: number;
  onChange(page: number): void;
}

const ownArrows = '[data-at], [role=radio], [role=slider], [role=tab], [role=listbox], video';

/** The arrow keys go from page to page, while nothing else has a use for them. */
export function usePageKeys({ page, total, size, onChange }: Props) {
  const last = Math.ceil(total / size);
  const [search] = useSearchParams();
  const isPlaying = search.has('videoId');
  useEffect(() => {
    if (last <= 1 || isPlaying) return;
    const look = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyping(event)) return;
      if (event.target instanceof Element && event.target.closest(ownArrows)) return;
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
      const next = Math.max(1, page) + (document.dir === 'rtl' ? -step : step);
      if (step !== 0 && next >= 1 && next <= last) onChange(next);
    };
    document.addEventListener('keydown', look);
    return () => document.removeEventListener('keydown', look);
  }, [page, last, isPlaying, onChange]);
}

/** From page to page; nothing when there is only one. */
export function Pager({ page, total, size, onChange }: Props) {
  const { t } = useLingui();
  const last = Math.ceil(total / size);
  const current = Math.max(1, page);
  if (last <= 1) return null;
  return (
    <nav className={styles.pager} aria-label={t`Pages`}>
      <IconButton label={t`Previous page`} disabled={current <= 1} onClick={() => onChange(current - 1)}>
        <IconChevronLeft aria-hidden />
      </IconButton>
      {pagesShown(current, last).map((shown, place) =>
        shown === 0 ? (
          <span key={`gap ${place}`} className={styles.gap}>
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
