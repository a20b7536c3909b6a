import type { Preview } from './storyboard.ts';

interface Props {
  preview: Preview;
  className: string | undefined;
  /** How many times its own size it is shown. */
  scale?: number;
}

/** What a video looks like for some seconds: cut out of the sheet that it is on. */
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
