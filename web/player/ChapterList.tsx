import { useLingui } from '@lingui/react/macro';
import { IconChevronRight } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { jump } from './actions.ts';
import { closedByEscape } from './closed-by-escape.ts';
import { usePlayer } from './engine.ts';
import panel from './panel.module.css';
import styles from './ChapterList.module.css';

interface Props {
  video: Video;
  element: HTMLVideoElement;
  isOpen: boolean;
  onToggle(): void;
}

/** The chapter that plays; it opens the list of all. */
export function ChapterList({ video: { chapters }, element, isOpen, onToggle }: Props) {
  const { t } = useLingui();
  const at = usePlayer(({ currentTime }) => chapters.findLastIndex(({ start }) => start <= currentTime + 0.05));
  if (chapters.length < 2) return null;
  return (
    <>
      <button type="button" className={styles.now} aria-expanded={isOpen} title={t`Chapters`} onClick={onToggle}>
        <bdi>{chapters[at]?.title ?? t`Chapters`}</bdi>
        <IconChevronRight aria-hidden />
      </button>
      {isOpen && (
        <section className={`${panel.panel} ${styles.list}`} aria-label={t`Chapters`} onKeyDown={closedByEscape(onToggle)}>
          <ol>
            {chapters.map(({ title, start }, place) => (
              <li key={start}>
                <button
                  type="button"
                  aria-current={place === at}
                  onClick={() => {
                    jump(element, start);
                    onToggle();
                  }}
                >
                  <span className="number">{durationText(start)}</span>
                  <bdi>{title}</bdi>
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
