// When started as root, as in containers, switches to the account of PUID and PGID, or of HOST_UID and HOST_GID as in
// TubeArchivist.
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitWithError } from './node.mjs';

function numberIn(...names) {
  const name = names.find((one) => process.env[one]);
  if (!name) return undefined;
  const text = process.env[name];
  if (!/^\d{1,10}$/.test(text) || Number(text) > 4_294_967_294)
    exitWithError(`${name} is ${text}, which is no number of an account.`);
  return Number(text);
}

function dataFolders() {
  const { env } = process;
  const data = resolve(env.REELKEEP_DATA || 'data');
  return [
    data,
    env.REELKEEP_MEDIA || env.TA_MEDIA_DIR || join(data, 'media'),
    env.REELKEEP_CACHE || env.TA_CACHE_DIR || join(data, 'cache'),
  ];
}

/** Changes the owner of a folder that belongs to root, but not of its content, which would take hours for a large library. */
function changeOwner(folder, uid, gid) {
  try {
    mkdirSync(folder, { recursive: true });
    if (statSync(folder).uid === 0) chownSync(folder, uid, gid);
  } catch (error) {
    console.warn(
      `${folder} could not be given to the account ${uid}: ${error.message}. Should it not be writable, the program says so.`,
    );
  }
}

/** Switches to the account permanently. Does nothing if none is set or the process is not root. */
export function switchAccount() {
  if (process.getuid?.() !== 0) return;
  const uid = numberIn('PUID', 'HOST_UID');
  if (!uid) return;
  const gid = numberIn('PGID', 'HOST_GID') ?? uid;
  for (const folder of dataFolders()) changeOwner(folder, uid, gid);
  try {
    process.setgroups([]);
    process.setgid(gid);
    process.setuid(uid);
  } catch (error) {
    exitWithError(
      `Cannot switch to user ${uid} (PUID): ${error.message}. In a container, add cap_add: [SETUID, SETGID, CHOWN], or set user: "${uid}:${gid}" instead.`,
    );
  }
}
