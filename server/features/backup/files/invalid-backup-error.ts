import { InvalidZipError } from '../../../platform/files/zip.ts';

/** The ZIP is no backup, or is incomplete. The message is shown to users. */
export class InvalidBackupError extends InvalidZipError {}
