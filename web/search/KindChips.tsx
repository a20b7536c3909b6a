import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { momentKinds, type MomentKind } from '#contract/moment-kinds.ts';
import { momentsQuery, type MomentsReply } from '#web/api/queries/search.ts';
import { exactText } from '#web/format/numbers.ts';
import { kindTexts } from './moment-kinds.ts';
import { useScrollIntoView } from '#web/ui/use-scroll-into-view.ts';
import type { Search } from './use-search.ts';
import styles from './SearchPage.module.css';

/** The server stops counting there. */
const mostCounted = 200;

interface Props {
  search: Search;
  /** Of the chosen kinds. */
  counts: MomentsReply['counts'];
  /** Whether the results have arrived, and other kinds can be counted. */
  isReady: boolean;
}

/** Chips that limit the search to kinds of moments, with the number of each. */
export function KindChips({ search, counts, isReady }: Props) {
  const { t } = useLingui();
  const { kinds } = search;
  const all = useQuery({
    ...momentsQuery({ ...search.moments, in: undefined, page: undefined }),
    enabled: isReady && kinds.length > 0,
  });
  const row = useScrollIntoView<HTMLDivElement>('[aria-pressed=true]', kinds.join());
  const counted = kinds.length === 0 ? counts : { ...all.data?.counts, ...counts };
  const visible = momentKinds.filter((kind) => counted[kind] || kinds.includes(kind));
  if (visible.length < 2 && kinds.length === 0) return null;
  const toggle = (kind: MomentKind) => {
    const next = kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind];
    search.put({ in: next.join(',') }, true, true);
  };
  return (
    <div ref={row} className={`${styles.chips} ${styles.kinds}`} role="group" aria-label={t`Kinds of matches`}>
      {visible.map((kind) => {
        const { icon: Icon, many } = kindTexts[kind];
        const count = counted[kind] ?? 0;
        return (
          <button
            key={kind}
            type="button"
            className={`${styles.chip} ${kinds.includes(kind) ? styles.active : ''}`}
            aria-pressed={kinds.includes(kind)}
            onClick={() => toggle(kind)}
          >
            <Icon aria-hidden /> {t(many)}{' '}
            <span className="number">{count >= mostCounted ? `${exactText(mostCounted)}+` : exactText(count)}</span>
          </button>
        );
      })}
    </div>
  );
}
