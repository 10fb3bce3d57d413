/** A Redis or Valkey server that can run on this machine. */
export interface RedisProgram {
  file: string;
  /** Environment variables that it needs to find its libraries. */
  env: Record<string, string>;
}
