import { type CredentialOpener, CredentialSession, type CredentialUser } from '@sluice/credentials';
import type { CredentialUseRepository, VariableRepository } from '@sluice/db';
import { knownTimezoneOf, type WorkflowSettings } from '@sluice/domain';
import type { EnginePorts, NodeRequest, OpenedNode, Preview, PreviewRequest } from '@sluice/engine';
import { scrubbedLogger, withFields } from '@sluice/logger';
import type { UncaughtErrors } from '@sluice/node-packages';
import type { HttpClient, NodeLogger } from '@sluice/node-sdk';
import type { OutgoingPorts } from '../credentials/outgoing-ports.ts';
import type { LoadedEngine, NodeFunctions } from '../triggers/engine-loader.ts';

interface NodeInvokerOptions {
  opener: CredentialOpener;
  engine: () => Promise<LoadedEngine>;
  ports: OutgoingPorts;
  variables: Pick<VariableRepository, 'values'>;
  credentialUses: Pick<CredentialUseRepository, 'findForProject'>;
  /** Environment variables that expressions may read. */
  env: Readonly<Record<string, string>>;
  /** Time zone of workflows without one. */
  timezone: string;
  uncaughtErrors: UncaughtErrors;
  logger: NodeLogger;
}

/** A node whose code the API runs itself. */
interface InvokedNode extends Pick<NodeRequest, 'workflow' | 'graph' | 'node' | 'resolved' | 'signal'> {
  credentials: CredentialSession;
  /** Expressions can read neither `$vars` nor `$env`. */
  blind?: boolean;
}

/** Expressions that the API evaluates for an editor. */
interface PreviewedNode extends Omit<PreviewRequest, 'timezone' | 'vars' | 'env'> {
  /** Expressions can read neither `$vars` nor `$env`. */
  blind: boolean;
}

/** Prepares nodes to run in this process, outside of executions. */
export class NodeInvoker {
  readonly #options: NodeInvokerOptions;
  /** One object, so that a graph is prepared once for all its nodes. */
  #ports: EnginePorts | undefined;

  constructor(options: NodeInvokerOptions) {
    this.#options = options;
  }

  /** The engine's functions for nodes; loaded at first use. */
  async functions(): Promise<NodeFunctions> {
    return (await this.#options.engine()).nodes;
  }

  credentialsOf(user: CredentialUser): CredentialSession {
    return new CredentialSession(this.#options.opener, user);
  }

  /**
   * Runs node code. Errors that it throws from timers and events, or leaves in unhandled promises,
   * are logged.
   */
  run<T>(credentials: CredentialSession, fields: object, work: () => T): T {
    const { uncaughtErrors, logger } = this.#options;
    return uncaughtErrors.run({ logger: scrubbedLogger(withFields(logger, fields), credentials.scrubber) }, work);
  }

  /** Credentials that a project may use, on behalf of one of its workflows. */
  credentialsOfWorkflow(workflowId: string, projectId: string, userId: string | null): CredentialSession {
    const usedBy = { actor: `workflow:${workflowId}`, userId, projectId, details: { workflowId } };
    return this.credentialsOf({
      find: async (id) => {
        const credentialUse = await this.#options.credentialUses.findForProject(id, { projectId, workflowId });
        return credentialUse && { ...credentialUse, usedBy };
      },
    });
  }

  /**
   * Throws what `openNode` throws. An `ExpressionError` of a parameter is thrown when the parameter
   * is read.
   */
  async open({ credentials, blind, ...call }: InvokedNode): Promise<OpenedNode> {
    const { logger } = this.#options;
    const { openNode, ports } = await this.functions();
    const { workflow } = call;
    return openNode(this.#enginePorts(ports), {
      ...call,
      ...(await this.#surroundings(call.graph, blind)),
      credentials,
      logger: scrubbedLogger(withFields(logger, { workflowId: workflow.id }), credentials.scrubber),
    });
  }

  /** Evaluates expressions in the sandbox. Throws what `previewParameters` throws. */
  async preview({ blind, ...request }: PreviewedNode): Promise<Preview> {
    const { previewParameters, ports } = await this.functions();
    return previewParameters(this.#enginePorts(ports), { ...request, ...(await this.#surroundings(request.graph, blind)) });
  }

  /** The variables, environment, and time zone that expressions can read. */
  async #surroundings({ settings }: NodeRequest['graph'], blind = false) {
    return {
      timezone: this.timezoneOf(settings),
      vars: blind ? {} : await this.#options.variables.values(),
      env: blind ? {} : this.#options.env,
    };
  }

  timezoneOf(settings: WorkflowSettings | undefined): string {
    return knownTimezoneOf(settings, this.#options.timezone);
  }

  #enginePorts(ports: NodeFunctions['ports']): EnginePorts {
    const { http, connect } = this.#options.ports;
    this.#ports ??= { ...ports, http: http satisfies HttpClient, connect };
    return this.#ports;
  }
}
