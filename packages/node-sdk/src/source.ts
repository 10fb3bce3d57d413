import type { JsonObject } from '@sluice/domain';
import type { BinaryAccess } from './binary.ts';
import type { ExecuteContext, SharedDataAccess } from './context.ts';

/**
 * What a poll and a listener are given alike, while their workflow is active. There is no execution and there are no items yet: parameters are resolved
 * when it begins, their expressions see the workflow, `$vars` and `$env`, and the item index of `parameter`, `credentials` and `authentication` is 0.
 * The errors are those of `ExecuteContext`.
 */
export interface SourceContext
  extends Pick<
    ExecuteContext,
    | 'node'
    | 'typeVersion'
    | 'workflow'
    | 'logger'
    | 'http'
    | 'connect'
    | 'files'
    | 'parameter'
    | 'credentials'
    | 'authentication'
    | 'hideSecret'
    | 'relatives'
  > {
  /**
   * What the node has kept of what it has seen (an id, an instant); `undefined` before it kept anything. It stays while the workflow is not active;
   * forgotten when the type, the parameters (but for how often it polls) or the credentials of the node change in the active version.
   */
  readonly cursor: Readonly<JsonObject> | undefined;
  readonly sharedData?: SharedDataAccess | undefined;
  /** Files for the items, which `open` gives back as long as nothing has been started with them; an execution that is started with such an item holds its file from then on, any other is deleted in the end. */
  readonly binary: Pick<BinaryAccess, 'store'> & Partial<Pick<BinaryAccess, 'open'>>;
  /** As that of a run; absent where there are no expressions. */
  readonly evaluateText?: ExecuteContext['evaluateText'];
}
