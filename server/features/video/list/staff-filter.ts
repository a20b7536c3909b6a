import type { VideoFilter } from '#contract/video.ts';
import { forbidden } from '../../../platform/http/http-error.ts';
import type { User } from '../../../platform/http/route.ts';

/** Refuses filters that show what other users have watched to users who are not staff. */
export function refuseStaffFilter(user: User, { cleanup }: Pick<VideoFilter, 'cleanup'>): void {
  if (cleanup !== undefined && !user.isStaff) throw forbidden('error.staff-filter');
}
