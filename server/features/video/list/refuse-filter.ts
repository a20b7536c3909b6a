import type { VideoFilter } from '#contract/video.ts';
import { hasScope } from '../../../platform/http/auth/authenticate.ts';
import { forbidden } from '../../../platform/http/http-error.ts';
import type { User } from '../../../platform/http/route.ts';

/**
 * Refuses filters that show what other users have watched to users who are not staff, and filters by private tags to tokens that may
 * not read them.
 */
export function refuseFilter(user: User, { cleanup, own_tag }: Partial<Pick<VideoFilter, 'cleanup' | 'own_tag'>>): void {
  if (cleanup !== undefined && !user.isStaff) throw forbidden('error.staff-filter');
  if (own_tag !== undefined && !hasScope(user, 'notes')) throw forbidden('error.token-scope', { scope: 'notes' });
}
