/** A Redis or Valkey server that runs on this machine. */
export interface RedisProgram {
  file: string;
  /** What it needs in its environment to find its libraries. */
  env: Record<string, string>;
}
