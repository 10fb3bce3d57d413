import type { CredentialType, NodeLogger, NodeType } from '@sluice/node-sdk';
import type { UncaughtErrors } from './uncaught-errors.ts';

export interface LoadNodePackagesOptions {
  /** Absolute path; `null`: load nothing. */
  folder: string | null;
  /** Names of the packages to load, `@scope/*` for a whole scope; `null`: all. */
  allow: readonly string[] | null;
  /**
   * Packages whose types replace Sluice types with the same name, as in `allow`. Default: no
   * packages.
   */
  prefer?: readonly string[];
  /** Existing credential types. Default: Sluice's own. */
  credentialTypes?: readonly CredentialType[];
  /** Time limit of loading a package in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** Receives log lines that package modules write outside of runs. Absent: they are dropped. */
  logger?: NodeLogger;
  /**
   * Attributes packages' uncaught errors, from the start of loading; it must already be listening.
   */
  uncaughtErrors: UncaughtErrors;
}

export interface LoadedNodePackage {
  name: string;
  version: string;
  /** Type identifiers. */
  nodeTypes: readonly string[];
  /** Names. */
  credentialTypes: readonly string[];
  /** Problems of the omitted files, each with its file name. */
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
  /** Own name → type that replaces the Sluice type with that name, if there is one. */
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
