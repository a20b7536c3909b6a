import type { Settings } from '#contract/settings.ts';
import type { AppContext } from '../../platform/context/app-context.ts';

/**
 * Whether servers at a network address, by default that of this one, use the cookies and the PO token. Sites end a login that
 * comes from two addresses, so only one address does; a single server always does.
 */
export function usesLogin(
  { config, nodes }: Pick<AppContext, 'config' | 'nodes'>,
  { queue, downloads }: Settings,
  egress = nodes.egress,
): boolean {
  const isStored = downloads.cookie_import || downloads.potoken;
  return config.node === undefined || !isStored || egress === (queue.login_egress ?? '');
}
