import type { CredentialType, NodeLogger, NodeType } from '@sluice/node-sdk';
import type { UncaughtErrors } from './uncaught-errors.ts';

export interface LoadNodePackagesOptions {
  /** Absolute path; `null`: load nothing. */
  folder: string | null;
  /** Names of the packages to load, `@scope/*` for a whole scope; `null`: all. */
  allow: readonly string[] | null;
  /** Packages whose types replace those of Sluice with the same name, as in `allow`. Default: none. */
  prefer?: readonly string[];
  /** Existing credential types. Default: those of Sluice. */
  credentialTypes?: readonly CredentialType[];
  /** Time limit of loading a package in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** Receives log lines that package modules write outside of runs. Absent: they are dropped. */
  logger?: NodeLogger;
  /** Attributes uncaught errors of packages, from loading on; it must already be listening. */
  uncaughtErrors: UncaughtErrors;
}

export interface LoadedNodePackage {
  name: string;
  version: string;
  /** Type identifiers. */
  nodeTypes: readonly string[];
  /** Names. */
  credentialTypes: readonly string[];
  /** Problems of the files that were left out, each with the name of its file. */
  skipped: readonly string[];
}

/** A package that was not loaded. */
export interface NodePackageFailure {
  package: string;
  reason: string;
}

/** The types of third-party packages, and the packages that failed. */
export interface NodePackages {
  packages: readonly LoadedNodePackage[];
  nodeTypes: ReadonlyMap<string, NodeType>;
  credentialTypes: readonly CredentialType[];
  /** Own name → type that replaces the one of Sluice with that name, if there is one. */
  replacements: ReadonlyMap<string, NodeType>;
  failures: readonly NodePackageFailure[];
}

export const noNodePackages: NodePackages = {
  packages: [],
  nodeTypes: new Map(),
  credentialTypes: [],
  replacements: new Map(),
  failures: [],
};

/** Default time limit of loading a package in milliseconds. */
export const defaultTimeoutMs = 10_000;
