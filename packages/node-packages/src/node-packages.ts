import type { CredentialType, NodeLogger, NodeType } from '@sluice/node-sdk';
import type { StrayErrors } from './stray-errors.ts';

export interface LoadNodePackagesOptions {
  /** Absolute path; `null`: nothing is to be loaded. */
  folder: string | null;
  /** Names of the packages that may be loaded, `@scope/*` for all of a scope; `null`: all that are there. */
  allow: readonly string[] | null;
  /** Credential types that are there already; default: those of Sluice. */
  credentialTypes?: readonly CredentialType[];
  /** Milliseconds that a package may take to load; default 10,000. */
  timeoutMs?: number;
  /** Takes what modules of packages log outside of anything that runs; absent: nobody does. */
  logger?: NodeLogger;
  /** Whose errors are those that packages let go, from their load on; it listens already. */
  strays: StrayErrors;
}

export interface LoadedNodePackage {
  name: string;
  version: string;
  /** Type identifiers. */
  nodeTypes: readonly string[];
  /** Names. */
  credentialTypes: readonly string[];
}

/** A package that was left out as a whole. */
export interface NodePackageFailure {
  package: string;
  reason: string;
}

/** What the packages of others bring, and which of them do not work. */
export interface NodePackages {
  packages: readonly LoadedNodePackage[];
  nodeTypes: ReadonlyMap<string, NodeType>;
  credentialTypes: readonly CredentialType[];
  failures: readonly NodePackageFailure[];
}

export const noNodePackages: NodePackages = {
  packages: [],
  nodeTypes: new Map(),
  credentialTypes: [],
  failures: [],
};

/** Milliseconds that a package may take to load, where nobody says. */
export const defaultTimeoutMs = 10_000;
