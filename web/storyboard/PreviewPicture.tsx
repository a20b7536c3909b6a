import type { Preview } from './storyboard.ts';

interface Props {
  preview: Preview;
  className: string | undefined;
  /** Display scale; 1 is the size in the sheet. */
  scale?: number;
}

/** One storyboard frame, cut out of its sheet. */
export const PreviewPicture = ({ preview: { sheet, x, y, width, height }, className, scale = 1 }: Props) => (
  <span
    className={className}
    style={{
      width,
      height,
      backgroundImage: `url("${sheet}")`,
      backgroundPosition: `-${x}px -${y}px`,
      ...(scale !== 1 && { scale: String(scale) }),
    }}
  />
);
