import type { Video } from '#contract/video.ts';
import { CompatibleOffer } from './CompatibleOffer.tsx';
import { RemuxOffer } from './RemuxOffer.tsx';

/** What staff can do about a file that this browser does not play. `isDamaged`: another copy of it would not help. */
export const FileRemedies = ({ video, isDamaged }: { video: Video; isDamaged: boolean }) => (
  <>
    <RemuxOffer video={video} />
    {!isDamaged && <CompatibleOffer video={video} />}
  </>
);
