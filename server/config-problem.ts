/** Something that only a person can put right, such as an environment that cannot be meant; the message is for them. */
export class ConfigProblem extends Error {
  /** What the program ends with. EX_CONFIG of sysexits.h: starting again does not help. */
  readonly exitCode: number = 78;
}

/** Something that may pass by itself, such as a full disk: whoever supervises the program is to start it again. */
export class PassingProblem extends ConfigProblem {
  override readonly exitCode: number = 75; // EX_TEMPFAIL
}
