import type { Request } from 'express';

/** Parts of a URL that resumes an execution: `…-waiting/<execution>/<token>[/<suffix>]`. */
export interface ResumeAddress {
  executionId: string;
  /** Token of a wait; for forms also the key of the form that started the execution. */
  token: string;
  suffix: string;
}

export function resumeAddressOf({ params }: Request): ResumeAddress {
  const { executionId = '', token = '', suffix = [] } = params as Record<string, string> & { suffix?: string[] };
  return { executionId, token, suffix: [suffix].flat().join('/') };
}
