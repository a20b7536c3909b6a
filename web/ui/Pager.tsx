import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { IconButton } from './Button.tsx';
import styles from './Pager.module.css';

/** The page in the address; 0 is the first, and is not written there. */
export function usePage(): [page: number, setPage: (page: number) => void] {
  const [search, setSearch] = useSearchParams();
  const page = Math.max(0, Number.parseInt(search.get('page') ?? '0', 10) || 0);
  const setPage = useCallback(
    (next: number) => {
      setSearch((before) => {
        const after = new URLSearchParams(before);
        if (next > 1) after.set('page', String(next));
        else after.delete('page');
        return after;
      });
      scrollTo({ top: 0 });
    },
    [setSearch],
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

/** From page to page; nothing when there is only one. */
export function Pager({ page, total, size, onChange }: Props) {
  const last = Math.ceil(total / size);
  const current = Math.max(1, page);
  if (last <= 1) return null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <IconButton label="Previous page" disabled={current <= 1} onClick={() => onChange(current - 1)}>
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
            aria-label={`Page ${shown}`}
            onClick={() => onChange(shown)}
          >
            {shown}
          </button>
        ),
      )}
      <IconButton label="Next page" disabled={current >= last} onClick={() => onChange(current + 1)}>
        <IconChevronRight aria-hidden />
      </IconButton>
    </nav>
  );
}
