import type { Generated } from 'kysely';

// Who may come in, and by what; rows look as tables.ts says.

type Flag = 0 | 1;
type Json = string;

export interface AccountTable {
  id: Generated<number>;
  /** Folded: accounts are told apart without regard to case. */
  foldedName: string;
  name: string;
  passwordHash: string;
  isStaff: Flag;
  isSuperuser: Flag;
  config: Generated<Json>;
  createdAt: number;
  lastLoginAt: number | null;
  isDisabled: Generated<Flag>;
  /** Its password was made for it, and only lets somebody choose another. */
  mustChoosePassword: Generated<Flag>;
  /** Raised to make every link worthless that was signed before. */
  linkSeries: Generated<number>;
}

/** Who an account is at an OpenID provider. */
export interface IdentityTable {
  issuer: string;
  subject: string;
  accountId: number;
  addedAt: number;
}

export interface SessionTable {
  /** SHA-256 of the cookie's value: who reads the database cannot log in with it. */
  keyHash: string;
  accountId: number;
  csrfToken: string;
  remember: Flag;
  createdAt: number;
  seenAt: number;
  expiresAt: number;
  /** As it called itself, and where it came from last. */
  browser: Generated<string>;
  address: Generated<string>;
  /** When whoever began it proved who they are: now, or at the provider some time before. 0: not known. */
  provedAt: Generated<number>;
}

export interface TokenTable {
  accountId: number;
  tokenHash: string;
  /** AES-256-GCM with the key file: the contract lets a person read the token again. */
  sealed: string;
  createdAt: number;
}

/** A token that was shown once: only its SHA-256 is known. */
export interface NamedTokenTable {
  number: Generated<number>;
  accountId: number;
  name: string;
  tokenHash: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}
