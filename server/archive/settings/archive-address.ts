import type { FastifyRequest } from 'fastify';
import { originOf } from '../../platform/http/auth/secret-address.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings, updateSettings } from './store.ts';

/** Address of the archive for other devices, without a slash at the end: that of the settings, else as the client reached it. */
export async function archiveAddress({ db }: Pick<AppContext, 'db'>, request: FastifyRequest): Promise<string> {
  const { application } = await readSettings(db);
  return application.address?.replace(/\/+$/, '') ?? originOf(request);
}

/** Stores the address that a trusted proxy names as that of the archive, unless one is set. Called for requests of staff. */
export async function rememberProxyAddress(app: AppContext, request: FastifyRequest): Promise<void> {
  if (!request.headers['x-forwarded-host'] || (request.ips?.length ?? 0) < 2) return;
  const { application } = await readSettings(app.db);
  if (application.address === null) await updateSettings(app, { application: { address: originOf(request) } });
}
