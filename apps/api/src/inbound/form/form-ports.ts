import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryRepository } from '@sluice/db';
import type { BodyLimits } from '../../http/read-json.ts';
import type { AnonymousLimit } from '../../limits/anonymous-limit.ts';
import type { MissLimit } from '../../limits/miss-limit.ts';
import type { RequestFilesOptions } from '../shared/request-files.ts';
import type { WorkflowResponseWaiter } from '../shared/workflow-response-waiter.ts';
import type { FormService } from './form-service.ts';
import type { FormVisits } from './form-visits.ts';

export interface FormPorts {
  forms: FormService;
  visits: FormVisits;
  /** For programs that wait for what the workflow answers. */
  waiter: WorkflowResponseWaiter;
  files: RequestFilesOptions;
  binaries: BinaryRepository;
  store: BinaryStore;
  limits: BodyLimits;
  /** As callers reach the API; null: nobody knows. */
  publicUrl: string | null;
  misses: Pick<MissLimit, 'assertMayGuess'>;
  anonymous: AnonymousLimit;
}
