import { useLingui } from '@lingui/react/macro';
import { IconChevronRight } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { seekSilently } from '../commands/actions.ts';
import { closeOnEscape } from '../shortcuts/close-on-escape.ts';
import { usePlayer } from '../state/videojs.ts';
import panel from '../styles/panel.module.css';
import styles from './ChapterList.module.css';

interface Props {
  video: Video;
  element: HTMLVideoElement;
  isOpen: boolean;
  onToggle(): void;
}

/** Button with the current chapter; it opens the list of chapters. */
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
        <section className={`${panel.panel} ${styles.list}`} aria-label={t`Chapters`} onKeyDown={closeOnEscape(onToggle)}>
          <ol>
            {chapters.map(({ title, start }, index) => (
              <li key={start}>
                <button
                  type="button"
                  aria-current={index === at}
                  onClick={() => {
                    seekSilently(element, start);
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
