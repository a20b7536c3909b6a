import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { PreviewPicture } from './PreviewPicture.tsx';
import { loadStoryboard, previewAt, type Preview } from './storyboard.ts';
import styles from './HoverPreview.module.css';

const restMs = 300;

/** Shows storyboard frames under the pointer, after a short delay so that passing over a card shows nothing. */
export function HoverPreview({
  frame,
  url,
  durationSeconds,
}: {
  frame: RefObject<HTMLElement | null>;
  url: string;
  durationSeconds: number;
}) {
  const [shown, setShown] = useState<{ preview: Preview; scale: number; share: number } | null>(null);
  const load = useEffectEvent(() => loadStoryboard(url));
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let previews: Preview[] = [];
    let isOver = false;
    let isDismissed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let at = 0;
    const show = () => {
      if (isDismissed) return;
      const { left, width } = element.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (at - left) / width));
      const preview = previewAt(previews, share * durationSeconds);
      setShown(preview && { preview, scale: width / preview.width, share });
    };
    const move = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse') return;
      at = event.clientX;
      if (previews.length > 0) show();
      timer ??= setTimeout(() => {
        void load().then((all) => {
          previews = all;
          if (isOver) show();
        });
      }, restMs);
      isOver = true;
    };
    const hide = () => {
      isOver = false;
      isDismissed = false;
      previews = [];
      clearTimeout(timer);
      timer = undefined;
      setShown(null);
    };
    // Escape hides the preview without moving the pointer (WCAG 1.4.13).
    const dismiss = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || previews.length === 0 || isDismissed) return;
      event.stopImmediatePropagation();
      isDismissed = true;
      setShown(null);
    };
    addEventListener('keydown', dismiss, { capture: true });
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerleave', hide);
    return () => {
      hide();
      removeEventListener('keydown', dismiss, { capture: true });
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerleave', hide);
    };
  }, [frame, durationSeconds]);
  if (!shown) return null;
  const { preview, scale, share } = shown;
  return (
    <span className={styles.preview} aria-hidden>
      <PreviewPicture preview={preview} scale={scale} className={styles.picture} />
      <span className={styles.line} style={{ inlineSize: `${share * 100}%` }} />
    </span>
  );
}
