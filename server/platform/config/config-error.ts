/** A problem that the administrator has to fix, such as an invalid variable. The message is shown to them. */
export class ConfigError extends Error {
  /** Exit code of the process. EX_CONFIG of sysexits.h: a restart does not help. */
  readonly exitCode: number = 78;
}

/** A problem that may be temporary, such as a full disk. The supervisor should restart the process. */
export class TemporaryConfigError extends ConfigError {
  override readonly exitCode: number = 75; // EX_TEMPFAIL
}
