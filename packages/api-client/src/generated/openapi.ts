/** Made from docs/api/openapi.json by `./dev api:write`; not to be edited. */
export interface paths {
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows, newest first
         * @description Needs the scope `workflow:list`. Counts for the rate limit `read`.
         */
        get: operations["listWorkflows"];
        put?: never;
        /**
         * Create a workflow; it is inactive
         * @description Needs the scope `workflow:create`. Counts for the rate limit `write`. The audit log names it `workflow.create`.
         */
        post: operations["createWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workflow
         * @description Needs the scope `workflow:read`. Counts for the rate limit `read`.
         */
        get: operations["getWorkflow"];
        put?: never;
        post?: never;
        /**
         * Delete a workflow with its whole history; running executions are stopped
         * @description Needs the scope `workflow:delete`. Counts for the rate limit `write`. The audit log names it `workflow.delete`.
         */
        delete: operations["deleteWorkflow"];
        options?: never;
        head?: never;
        /**
         * Replace the given parts of a workflow; If-Match guards against lost updates
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `workflow.update`.
         */
        patch: operations["updateWorkflow"];
        trace?: never;
    };
    "/workflows/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate a version of a workflow, by default the newest; name and description label it
         * @description Needs the scope `workflow:activate`. Counts for the rate limit `write`. The audit log names it `workflow.activate`.
         */
        post: operations["activateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate a workflow
         * @description Needs the scope `workflow:deactivate`. Counts for the rate limit `write`. The audit log names it `workflow.deactivate`.
         */
        post: operations["deactivateWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a workflow; responds when the run ends or the wait is over (Prefer: wait=N, respond-async)
         * @description Needs the scope `workflow:execute`. Counts for the rate limit `run`. The audit log names it `workflow.run`.
         */
        post: operations["runWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/expressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate the expressions of a node with the data of an execution; runs nothing
         * @description Needs the scope `workflow:read`. Counts for the rate limit `write`.
         */
        post: operations["previewExpressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/test-urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the test URLs of a workflow and the execution that the request started; available for an hour after they close
         * @description Needs the scope `workflow:execute`. Counts for the rate limit `read`.
         */
        get: operations["getTestUrls"];
        put?: never;
        /**
         * Open test URLs of a workflow, valid for two minutes and one request
         * @description Needs the scope `workflow:execute`. Counts for the rate limit `write`. The audit log names it `workflow.openTestUrls`.
         */
        post: operations["openTestUrls"];
        /**
         * Close the test URLs of a workflow
         * @description Needs the scope `workflow:execute`. Counts for the rate limit `write`. The audit log names it `workflow.closeTestUrls`.
         */
        delete: operations["closeTestUrls"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Transfer a workflow, with its executions, to another project
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `workflow.transfer`.
         */
        put: operations["transferWorkflow"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a workflow, newest first
         * @description Needs the scope `workflow:read`. Counts for the rate limit `read`.
         */
        get: operations["listWorkflowVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/versions/{versionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a workflow with its graph
         * @description Needs the scope `workflow:read`. Counts for the rate limit `read`.
         */
        get: operations["getWorkflowVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{id}/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the triggers and registrations of a workflow, with due times and errors; `data` is empty while it is inactive
         * @description Needs the scope `workflow:read`. Counts for the rate limit `read`.
         */
        get: operations["listWorkflowTriggers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags, newest first
         * @description Needs the scope `workflow:list`. Counts for the rate limit `read`.
         */
        get: operations["listTags"];
        put?: never;
        /**
         * Create a tag with a unique name
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `tag.create`.
         */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tag
         * @description Needs the scope `workflow:list`. Counts for the rate limit `read`.
         */
        get: operations["getTag"];
        put?: never;
        post?: never;
        /**
         * Delete a tag and remove it from workflows and executions
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `tag.delete`.
         */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        /**
         * Rename a tag
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `tag.update`.
         */
        patch: operations["updateTag"];
        trace?: never;
    };
    "/node-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the node types, with their parameters, by type
         * @description Needs the scope `workflow:list`. Counts for the rate limit `read`.
         */
        get: operations["listNodeTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/node-types/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a node type
         * @description Needs the scope `workflow:list`. Counts for the rate limit `read`.
         */
        get: operations["getNodeType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/node-types/{type}/methods/{kind}/{method}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a method of a node type for editors: loadOptions, listSearch, resourceMapping, actionHandler, or credentialTest; for loadOptions, the path of a parameter with declared choices may replace the method
         * @description Needs the scope `workflow:read`. Counts for the rate limit `run`. The audit log names it `nodeType.call`.
         */
        post: operations["createNodeTypeMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/node-packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the node packages found at startup, with the reasons of rejections; for owners and admins
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["listNodePackages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List executions, newest first
         * @description Needs the scope `execution:list`. Counts for the rate limit `read`.
         */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/stopMany": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop all executions that match a filter
         * @description Needs the scope `execution:stop`. Counts for the rate limit `write`. The audit log names it `execution.stopMany`.
         */
        post: operations["stopManyExecutions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete executions, all or none
         * @description Needs the scope `execution:delete`. Counts for the rate limit `write`. The audit log names it `execution.delete`.
         */
        post: operations["deleteExecutions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an execution; includeData=true includes the data of every node
         * @description Needs the scope `execution:read`. Counts for the rate limit `read`.
         */
        get: operations["getExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Annotate an execution with tags and a vote
         * @description Needs the scope `execution:read`. Counts for the rate limit `write`. The audit log names it `execution.annotate`.
         */
        patch: operations["updateExecution"];
        trace?: never;
    };
    "/executions/{id}/workflow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the graph that an execution runs, even if it was sent with the request and never saved
         * @description Needs the scope `workflow:read`. Counts for the rate limit `read`.
         */
        get: operations["getExecutionWorkflow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an execution by server-sent events; Last-Event-ID resumes, a terminal status is the last event
         * @description Needs the scope `execution:read`. Counts for the rate limit `read`.
         */
        get: operations["streamExecutionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes of all executions by server-sent events; read the list again after a reconnect
         * @description Needs the scope `execution:list`. Counts for the rate limit `read`.
         */
        get: operations["streamChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an execution that has not ended
         * @description Needs the scope `execution:stop`. Counts for the rate limit `write`. The audit log names it `execution.stop`.
         */
        post: operations["stopExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/executions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed execution from the failed node
         * @description Needs the scope `execution:retry`. Counts for the rate limit `run`. The audit log names it `execution.retry`.
         */
        post: operations["retryExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read counts and durations of executions over time
         * @description Needs the scope `execution:list`. Counts for the rate limit `read`.
         */
        get: operations["getStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live workers, with their leases and loads; for owners and admins
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["listWorkers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how many executions wait for a worker or for a limit
         * @description Needs the scope `execution:list`. Counts for the rate limit `read`.
         */
        get: operations["getQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what needs attention: failing triggers, expiring credentials and keys, full queues and quotas
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["listAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what, newest first; for owners and admins
         * @description Needs a key with every scope of its user. Counts for the rate limit `read`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/binary-data/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of an item; supports HEAD, ranges, and If-None-Match
         * @description Needs the scope `execution:read`. Counts for the rate limit `read`.
         */
        get: operations["getBinaryData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credential-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credential types, by name
         * @description Needs the scope `credential:list`. Counts for the rate limit `read`.
         */
        get: operations["listCredentialTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credential-types/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a credential type, with its fields
         * @description Needs the scope `credential:list`. Counts for the rate limit `read`.
         */
        get: operations["getCredentialType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credentials that the caller may use, newest first
         * @description Needs the scope `credential:list`. Counts for the rate limit `read`.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Create a credential; its data is stored encrypted
         * @description Needs the scope `credential:create`. Counts for the rate limit `write`. The audit log names it `credential.create`.
         */
        post: operations["createCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Generate an unused credential name
         * @description Needs the scope `credential:create`. Counts for the rate limit `read`.
         */
        get: operations["getNewCredentialName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/schema/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the JSON Schema of a credential type’s data
         * @description Needs the scope `credential:create`. Counts for the rate limit `read`.
         */
        get: operations["getCredentialSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a credential at its service; missing fields are taken from the stored credential
         * @description Needs the scope `credential:read`. Counts for the rate limit `credentialTest`. The audit log names it `credential.test`.
         */
        post: operations["testCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{credentialId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a credential; its secrets are never shown
         * @description Needs the scope `credential:read`. Counts for the rate limit `read`.
         */
        get: operations["getCredential"];
        put?: never;
        post?: never;
        /**
         * Delete a credential, even if it is in use, unless ifUnused is set
         * @description Needs the scope `credential:delete`. Counts for the rate limit `write`. The audit log names it `credential.delete`.
         */
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        /**
         * Change a credential; `data` must be complete, and ***REDACTED*** keeps a stored value
         * @description Needs the scope `credential:update`. Counts for the rate limit `write`. The audit log names it `credential.update`.
         */
        patch: operations["updateCredential"];
        trace?: never;
    };
    "/credentials/{credentialId}/oauth2/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an OAuth 2 consent for a credential: returns the page to open in the browser, within ten minutes
         * @description Needs the scope `credential:update`. Counts for the rate limit `write`. The audit log names it `credential.authorize`.
         */
        post: operations["authorizeCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{credentialId}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Share a credential with exactly these projects, which may read and use it
         * @description Needs the scope `credential:share`. Counts for the rate limit `write`. The audit log names it `credential.share`.
         */
        put: operations["shareCredential"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{credentialId}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Transfer a credential to another project; its shares end
         * @description Needs the scope `credential:update`. Counts for the rate limit `write`. The audit log names it `credential.transfer`.
         */
        put: operations["transferCredential"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller’s API keys, newest first
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; the whole key is shown only in this response
         * @description Needs any valid key. Counts for the rate limit `write`. The audit log names it `apiKey.create`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scopes available to keys of the caller’s role
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["listScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key permanently
         * @description Needs any valid key. Counts for the rate limit `write`. The audit log names it `apiKey.revoke`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /**
         * Change the label or the scopes of an API key
         * @description Needs any valid key. Counts for the rate limit `write`. The audit log names it `apiKey.update`.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a link of `sluice up` or `sluice users link`, which works once
         * @description Needs no key. Counts for the rate limit of the address. The audit log names it `session.create`.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out: end a session of the caller
         * @description Needs any valid key. Counts for the rate limit `write`. The audit log names it `session.end`.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users, newest first; for owners and admins
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user with a personal project and, on request, a first key; for owners and admins
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `user.create`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user: the caller or, for owners and admins, any user
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user with an empty personal project (transferTo empties it), and revoke their keys; for owners and admins
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `user.delete`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Change the email or the role of a user; for owners and admins
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `user.update`.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the projects that the caller can see, newest first
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a team project with the caller as its first admin; for owners and admins
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `project.create`.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a project
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete an empty team project (transferTo empties it)
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `project.delete`.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `project.update`.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/projects/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a project, by email
         * @description Needs any valid key. Counts for the rate limit `read`.
         */
        get: operations["listProjectMembers"];
        put?: never;
        /**
         * Add a user, by userId or email, to a project
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `project.addMember`.
         */
        post: operations["addProjectMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from a project; members may leave
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `project.removeMember`.
         */
        delete: operations["removeProjectMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `project.changeMember`.
         */
        patch: operations["updateProjectMember"];
        trace?: never;
    };
    "/event-subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event subscriptions, newest first
         * @description Needs the scope `execution:list`. Counts for the rate limit `read`.
         */
        get: operations["listEventSubscriptions"];
        put?: never;
        /**
         * Send the events of a project to a URL
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `eventSubscription.create`.
         */
        post: operations["createEventSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event subscription
         * @description Needs the scope `execution:list`. Counts for the rate limit `read`.
         */
        get: operations["getEventSubscription"];
        put?: never;
        post?: never;
        /**
         * Delete an event subscription and its deliveries
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `eventSubscription.delete`.
         */
        delete: operations["deleteEventSubscription"];
        options?: never;
        head?: never;
        /**
         * Change an event subscription
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `eventSubscription.update`.
         */
        patch: operations["updateEventSubscription"];
        trace?: never;
    };
    "/event-subscriptions/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret; events are signed with both for a day
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `eventSubscription.rotateSecret`.
         */
        post: operations["rotateEventSubscriptionSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-subscriptions/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `eventSubscription.test`.
         */
        post: operations["testEventSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-subscriptions/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of the last week, newest first
         * @description Needs the scope `execution:list`. Counts for the rate limit `read`.
         */
        get: operations["listEventDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/event-subscriptions/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Needs a key with every scope of its user. Counts for the rate limit `write`. The audit log names it `eventSubscription.replay`.
         */
        post: operations["replayEventDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List data tables, newest first
         * @description Needs the scope `workflow:list`. Counts for the rate limit `read`.
         */
        get: operations["listDataTables"];
        put?: never;
        /**
         * Create a data table with a name that is unique in its project
         * @description Needs the scope `workflow:create`. Counts for the rate limit `write`. The audit log names it `dataTable.create`.
         */
        post: operations["createDataTable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-tables/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a data table and its columns
         * @description Needs the scope `workflow:read`. Counts for the rate limit `read`.
         */
        get: operations["getDataTable"];
        put?: never;
        post?: never;
        /**
         * Delete a data table and its rows
         * @description Needs the scope `workflow:delete`. Counts for the rate limit `write`. The audit log names it `dataTable.delete`.
         */
        delete: operations["deleteDataTable"];
        options?: never;
        head?: never;
        /**
         * Rename a data table
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `dataTable.update`.
         */
        patch: operations["updateDataTable"];
        trace?: never;
    };
    "/data-tables/{id}/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a column, which is empty in all rows
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `dataTable.addColumn`.
         */
        post: operations["addDataTableColumn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/data-tables/{id}/columns/{columnId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a column and its values
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `dataTable.deleteColumn`.
         */
        delete: operations["deleteDataTableColumn"];
        options?: never;
        head?: never;
        /**
         * Rename a column; rows keep their values
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `dataTable.renameColumn`.
         */
        patch: operations["renameDataTableColumn"];
        trace?: never;
    };
    "/data-tables/{id}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rows, by id or by a column
         * @description Needs the scope `workflow:read`. Counts for the rate limit `read`.
         */
        get: operations["listDataTableRows"];
        put?: never;
        /**
         * Insert rows: all or none
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `dataTable.insertRows`.
         */
        post: operations["insertDataTableRows"];
        /**
         * Delete all rows that match the filter, in batches of 1,000
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `dataTable.deleteRows`.
         */
        delete: operations["deleteDataTableRows"];
        options?: never;
        head?: never;
        /**
         * Change the given columns of all rows that match the filter, in batches of 1,000
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `dataTable.updateRows`.
         */
        patch: operations["updateDataTableRows"];
        trace?: never;
    };
    "/data-tables/{id}/rows/upsert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change all rows that match the filter, or insert one if there is none
         * @description Needs the scope `workflow:update`. Counts for the rate limit `write`. The audit log names it `dataTable.upsertRows`.
         */
        post: operations["upsertDataTableRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document; requires no key
         * @description Generated from the routes of the running service.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ActivateWorkflowBody: {
            /** @description absent: the newest version */
            versionId?: string;
            name?: string;
            description?: string;
        };
        AddDataColumnBody: {
            name: string;
            /**
             * @description `date`: a time, stored as ISO 8601 in UTC
             * @enum {string}
             */
            type: "string" | "number" | "boolean" | "date";
        };
        AddMemberBody: {
            userId?: string;
            email?: string;
            /**
             * @description ascending: viewers read, editors also change and run, admins also administer
             * @enum {string}
             */
            role: "project:viewer" | "project:editor" | "project:admin";
        };
        /** ApiKey */
        ApiKey: {
            id: string;
            label: string;
            /** @description redacted: the first and last few characters */
            apiKey: string;
            /** @description without an enterprise license: all scopes of the role */
            scopes: ("workflow:read" | "workflow:create" | "workflow:update" | "workflow:delete" | "workflow:execute" | "workflow:list" | "workflow:activate" | "workflow:deactivate" | "credential:read" | "credential:create" | "credential:update" | "credential:delete" | "credential:list" | "credential:share" | "execution:read" | "execution:list" | "execution:retry" | "execution:stop" | "execution:delete")[];
            /** @description Unix time in seconds; null: no expiry */
            expiresAt: number | null;
            /**
             * Format: date-time
             * @description to the minute
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
        };
        ApiKeyList: components["schemas"]["ApiKey"][];
        /** AttentionItem */
        AttentionItem: {
            /** @enum {string} */
            kind: "triggerFailing" | "registrationFailing" | "credentialNotConnected" | "credentialExpired" | "credentialExpiring" | "credentialUnreadable" | "apiKeyExpired" | "apiKeyExpiring" | "queueFull" | "queueFilling" | "storageFull" | "storageFilling" | "noWorker" | "packageFailed";
            /**
             * @description error: something is not working; warning: something may soon stop working
             * @enum {string}
             */
            severity: "error" | "warning";
            /** @description human-readable description of the problem */
            message: string;
            /**
             * Format: date-time
             * @description time of the expiry or of the next try
             */
            at: string | null;
            /** @description the project; null: not about one */
            project: {
                id: string;
                name: string;
            } | null;
            /** @description the workflow; null: not about one */
            workflow: {
                id: string;
                name: string;
            } | null;
            nodeName: string | null;
            /** @description the credential; null: not about one */
            credential: {
                id: string;
                name: string;
            } | null;
            /** @description the API key, with its label; null: not about one */
            apiKey: {
                id: string;
                name: string;
            } | null;
        };
        AttentionList: {
            /** @description errors first; up to 100 of each kind */
            data: components["schemas"]["AttentionItem"][];
        };
        /** AuditEntry */
        AuditEntry: {
            /** @description decimal; increases with time */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            at: string;
            /** @description email of the user, `cli:` and the user of the machine, or the kind of the process; null: unknown */
            actor: string | null;
            userId: string | null;
            /** @description the API key that was used */
            keyId: string | null;
            ip: string | null;
            requestId: string | null;
            /** @description `<object type>.<verb>`, for example `workflow.create` */
            action: string;
            objectType: string | null;
            objectId: string | null;
            /** @description its name at that time */
            objectName: string | null;
            projectId: string | null;
            /** @enum {string} */
            outcome: "success" | "denied" | "failed";
            details: Record<string, unknown> | null;
        };
        AuditPage: {
            data: components["schemas"]["AuditEntry"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        CallNodeMethodBody: {
            /** @description default: the type’s version */
            typeVersion?: number;
            /** @description the current parameters of the node; expressions can read the instance only */
            parameters?: Record<string, unknown>;
            /** @description in the format of nodes: credential type → the credential, which the caller may use */
            credentials?: {
                [key: string]: {
                    id: string;
                    name?: string;
                };
            };
            /** @description for listSearch: filters the choices */
            filter?: string;
            /** @description for listSearch: from the previous response */
            paginationToken?: string;
            /** @description for actionHandler */
            payload?: Record<string, unknown>;
        };
        ChangeDataRowsBody: {
            filter: components["schemas"]["DataTableFilter"];
            /** @description column → value */
            data: Record<string, unknown>;
        };
        ChangeMemberBody: {
            /**
             * @description ascending: viewers read, editors also change and run, admins also administer
             * @enum {string}
             */
            role: "project:viewer" | "project:editor" | "project:admin";
        };
        ChangedDataRows: {
            /** @description rows that were changed */
            count: number;
            /** @description the first 250 changed rows, after the change; fewer if they exceed about 4 MB */
            data: components["schemas"]["DataRowView"][];
        };
        /** @description source node name → output type (`main`) → per output, its targets */
        Connections: {
            [key: string]: {
                [key: string]: ({
                    /** @description name of the target node */
                    node: string;
                    type: string;
                    /** @description input of the target node */
                    index: number;
                }[] | null)[];
            };
        };
        CreateApiKeyBody: {
            label: string;
            scopes: ("workflow:read" | "workflow:create" | "workflow:update" | "workflow:delete" | "workflow:execute" | "workflow:list" | "workflow:activate" | "workflow:deactivate" | "credential:read" | "credential:create" | "credential:update" | "credential:delete" | "credential:list" | "credential:share" | "execution:read" | "execution:list" | "execution:retry" | "execution:stop" | "execution:delete")[];
            /** @description Unix time in seconds; null: no expiry */
            expiresAt?: number | null;
        };
        CreateCredentialBody: {
            name: string;
            /** @description credential type identifier, for example `httpBasicAuth` */
            type: string;
            /** @description the fields of the type; at most 64 KiB in a field, 1024 KiB in total, and 5000 different strings, including those in JSON */
            data: Record<string, unknown>;
            projectId?: string;
            /** @default false */
            isGlobal?: boolean;
            /** @default false */
            isResolvable?: boolean;
            /** @description maximum number of its executions that run at once; further ones wait */
            concurrency?: number | null;
            /** @description maximum number of its executions that start within a second; further ones wait */
            ratePerSecond?: number | null;
        };
        CreateDataTableBody: {
            projectId?: string;
            name: string;
            /** @default [] */
            columns?: components["schemas"]["AddDataColumnBody"][];
        };
        CreateEventSubscriptionBody: {
            projectId?: string;
            name: string;
            /** @description receives a POST for each event, signed as in Standard Webhooks */
            url: string;
            events: ("execution.finished" | "execution.failed" | "execution.crashed" | "execution.canceled" | "execution.waiting" | "workflow.created" | "workflow.updated" | "workflow.activated" | "workflow.deactivated" | "workflow.deleted")[];
            /** @description seconds to start or to resume after which an execution causes `execution.waiting` */
            waitingAfterSeconds?: number;
            /** @default true */
            active?: boolean;
        };
        CreateProjectBody: {
            name: string;
            /** @description maximum number of its executions that run at once; further ones wait */
            concurrency?: number | null;
            /** @description turns relative to other projects while more executions are queued than can start; default 1; only owners and admins of the instance change it */
            weight?: number;
        };
        CreateSessionBody: {
            /** @description the part of a sign-in link after `#token=` */
            token: string;
        };
        CreateUserBody: {
            email: string;
            /**
             * @description role in the whole instance
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            /**
             * @description create a first key, with every scope; see `rawApiKey`
             * @default false
             */
            createApiKey?: boolean;
        };
        CreateWorkflowBody: {
            name: string;
            nodes: components["schemas"]["Node"][];
            connections: components["schemas"]["Connections"];
            settings?: components["schemas"]["Settings"];
            staticData?: Record<string, unknown> | null;
            pinData?: components["schemas"]["PinData"];
            tags?: components["schemas"]["TagIds"];
            id?: string;
            projectId?: string;
            meta?: Record<string, unknown> | null;
        };
        CreatedApiKey: {
            id: string;
            label: string;
            /** @description redacted: the first and last few characters */
            apiKey: string;
            /** @description without an enterprise license: all scopes of the role */
            scopes: ("workflow:read" | "workflow:create" | "workflow:update" | "workflow:delete" | "workflow:execute" | "workflow:list" | "workflow:activate" | "workflow:deactivate" | "credential:read" | "credential:create" | "credential:update" | "credential:delete" | "credential:list" | "credential:share" | "execution:read" | "execution:list" | "execution:retry" | "execution:stop" | "execution:delete")[];
            /** @description Unix time in seconds; null: no expiry */
            expiresAt: number | null;
            /**
             * Format: date-time
             * @description to the minute
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
            /** @description the whole key; it is returned only once */
            rawApiKey: string;
        };
        CreatedUser: {
            id: string;
            /** @description lower case */
            email: string;
            /**
             * @description role in the whole instance
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            personalProjectId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
            /** @description the first key, if requested; it is returned only once */
            rawApiKey?: string;
        };
        /** Credential */
        Credential: {
            id: string;
            name: string;
            type: string;
            /** @description the owner */
            projectId: string;
            /** @description usable in every project */
            isGlobal: boolean;
            /** @description managed by an external system; cannot be updated */
            isManaged: boolean;
            isResolvable: boolean;
            /** @description maximum number of its executions that run at once; further ones wait */
            concurrency: number | null;
            /** @description maximum number of its executions that start within a second; further ones wait */
            ratePerSecond: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
            /** @description the caller’s scopes for the credential */
            scopes?: string[];
            /** @description only if one credential is read by an admin of its project: the projects with which it is shared */
            sharedWithIds?: string[];
            /** @description the fields of the type; secrets, and fields that the type does not define, are `***REDACTED***` */
            data?: Record<string, unknown>;
            /** @description true instead of `data`: the configured master keys cannot decrypt it */
            isUnreadable?: boolean;
        };
        CredentialList: components["schemas"]["Credential"][];
        /** CredentialSummary */
        CredentialSummary: {
            id: string;
            name: string;
            type: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
            /** @description the caller’s scopes for the credential */
            scopes: string[];
        };
        /** CredentialTestResult */
        CredentialTestResult: {
            /** @enum {string} */
            status: "success" | "error";
            message: string;
        };
        /** CredentialType */
        CredentialType: {
            /** @description identifier, as in `type` of credentials */
            name: string;
            /** @description display name */
            displayName: string;
            /** @description documentation page about these credentials */
            documentationUrl: string | null;
            /** @description `request`: added to HTTP requests. `challenge`: responds to a server’s challenge. `token`: the service obtains and renews a token. `consent`: a user grants access in the browser. Empty: for nodes that connect by other protocols, or use the fields themselves */
            authentication: ("request" | "challenge" | "token" | "consent")[];
            /** @description a credential of this type can be connected with `POST /credentials/{credentialId}/oauth2/authorize` */
            connectsByOAuth2: boolean;
            /** @description `POST /credentials/test` can test credentials of this type */
            testable: boolean;
            /** @description the fields of `data`, in the form of node properties; secrets have `typeOptions.password` */
            properties: Record<string, unknown>[];
            /** @description JSON Schema 2020-12 of `data` */
            schema: Record<string, unknown>;
        };
        CredentialTypePage: {
            data: components["schemas"]["CredentialTypeSummary"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        /** CredentialTypeSummary */
        CredentialTypeSummary: {
            /** @description identifier, as in `type` of credentials */
            name: string;
            /** @description display name */
            displayName: string;
            /** @description documentation page about these credentials */
            documentationUrl: string | null;
            /** @description `request`: added to HTTP requests. `challenge`: responds to a server’s challenge. `token`: the service obtains and renews a token. `consent`: a user grants access in the browser. Empty: for nodes that connect by other protocols, or use the fields themselves */
            authentication: ("request" | "challenge" | "token" | "consent")[];
            /** @description a credential of this type can be connected with `POST /credentials/{credentialId}/oauth2/authorize` */
            connectsByOAuth2: boolean;
            /** @description `POST /credentials/test` can test credentials of this type */
            testable: boolean;
        };
        DataRowPage: {
            data: components["schemas"]["DataRowView"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        /** @description `id`, `createdAt`, `updatedAt`, and the value of each column */
        DataRowView: {
            [key: string]: string | number | boolean | null;
        };
        /** DataTable */
        DataTable: {
            id: string;
            projectId: string;
            name: string;
            /** @description in the order of their creation; every table also has `id`, `createdAt`, and `updatedAt` */
            columns: components["schemas"]["DataTableColumn"][];
            rowCount: number;
            /** @description size of the rows, which counts toward the project’s quota */
            bytes: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
        };
        /** DataTableColumn */
        DataTableColumn: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "string" | "number" | "boolean" | "date";
        };
        /** DataTableFilter */
        DataTableFilter: {
            /**
             * @description `and`: rows that match all conditions; `or`: at least one of them
             * @enum {string}
             */
            type: "and" | "or";
            filters: {
                columnName: string;
                /**
                 * @description `like`, `ilike` (ignores case): `%` matches any string, `_` one character
                 * @enum {string}
                 */
                condition: "eq" | "neq" | "like" | "ilike" | "gt" | "gte" | "lt" | "lte" | "isEmpty" | "isNotEmpty" | "isTrue" | "isFalse";
                /** @description a value of the column type, or null; required, except for `isEmpty`, `isNotEmpty`, `isTrue`, and `isFalse` */
                value?: string | number | boolean | null;
            }[];
        };
        DataTablePage: {
            data: components["schemas"]["DataTable"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        DeleteExecutionsBody: {
            ids: string[];
            /**
             * @description true: only checks and counts; deletes nothing
             * @default false
             */
            dryRun?: boolean;
        };
        DeleteExecutionsView: {
            /** @constant */
            success: true;
            /** @description with `dryRun`: number of executions that would be deleted */
            deleted?: number;
        };
        DeletedDataRows: {
            /** @description rows that were deleted */
            count: number;
        };
        DeletedWorkflow: {
            id: string;
            name: string;
        };
        /** Error */
        Error: {
            message: string;
            /** @description upper snake case, stable; see docs/errors.md */
            code: string;
            /** @description also in the header X-Request-Id and in the logs */
            requestId: string;
            details?: {
                path: string;
                message: string;
            }[];
        };
        ErrorRecord: {
            message: string;
            node?: string;
            name?: string;
            description?: string;
        };
        /** EventDelivery */
        EventDelivery: {
            /** @description `webhook-id` of the request: the same for every attempt */
            id: string;
            subscriptionId: string;
            type: string;
            payload: Record<string, unknown>;
            /**
             * @description `pending`: not accepted yet, and retried; `failed`: given up
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            nextAttemptAt: string | null;
            /** @description the newest 20, oldest first */
            attempts: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                at: string;
                durationMs: number;
                /** @description HTTP status of the response; null: no response */
                status: number | null;
                /** @description null: the receiver accepted the event */
                error: string | null;
            }[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
        };
        EventDeliveryPage: {
            data: components["schemas"]["EventDelivery"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        /** EventSubscription */
        EventSubscription: {
            id: string;
            projectId: string;
            name: string;
            url: string;
            events: ("execution.finished" | "execution.failed" | "execution.crashed" | "execution.canceled" | "execution.waiting" | "workflow.created" | "workflow.updated" | "workflow.activated" | "workflow.deactivated" | "workflow.deleted")[];
            waitingAfterSeconds: number;
            /** @description false: nothing is sent, and events are not recorded */
            active: boolean;
            /** @description why the service deactivated it */
            disabledReason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
        };
        EventSubscriptionPage: {
            data: components["schemas"]["EventSubscription"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        /** EventSubscriptionWithSecret */
        EventSubscriptionWithSecret: {
            id: string;
            projectId: string;
            name: string;
            url: string;
            events: ("execution.finished" | "execution.failed" | "execution.crashed" | "execution.canceled" | "execution.waiting" | "workflow.created" | "workflow.updated" | "workflow.activated" | "workflow.deactivated" | "workflow.deleted")[];
            waitingAfterSeconds: number;
            /** @description false: nothing is sent, and events are not recorded */
            active: boolean;
            /** @description why the service deactivated it */
            disabledReason: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
            /** @description signs the events; shown only now */
            secret: string;
        };
        /** ExecutedWorkflow */
        ExecutedWorkflow: {
            /** @description name of the workflow when the execution started */
            name: string;
            nodes: components["schemas"]["Node"][];
            connections: components["schemas"]["Connections"];
            settings: components["schemas"]["Settings"];
        };
        /** Execution */
        Execution: {
            /** @description decimal; increases with time */
            id: string;
            workflowId: string;
            workflowName: string;
            /** @enum {string} */
            status: "new" | "running" | "waiting" | "success" | "error" | "canceled" | "crashed";
            /** @enum {string} */
            mode: "manual" | "trigger" | "webhook" | "retry";
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            stoppedAt: string | null;
            /** @description decimal; increases with time */
            retryOf: string | null;
            /** @description decimal; increases with time */
            retrySuccessId: string | null;
            annotation: {
                tags: components["schemas"]["TagIds"];
                /**
                 * @description null: no vote
                 * @enum {string|null}
                 */
                vote: "up" | "down" | null;
            };
            /** @description the limit that the execution waits for; only while it does */
            waitingFor?: {
                /** @enum {string} */
                limit: "workflow" | "project" | "credential";
                /** @description ID of the workflow, project, or credential */
                id: string;
            };
            /** @description the node run that waits for a time, a request, or a sub-workflow; only while it does */
            waitingRun?: {
                /** @description node name */
                node: string;
                /** @description milliseconds since the epoch */
                startTime: number;
            };
            /** @description why it failed; the message may be cut at 1,000 characters */
            error?: {
                message: string;
                name?: string;
                node?: string;
            };
            data?: components["schemas"]["ExecutionData"];
        };
        ExecutionChangesEvent: {
            executions: {
                id: string;
                workflowId: string;
                projectId: string;
                /**
                 * @description null: the execution was deleted
                 * @enum {string|null}
                 */
                status: "new" | "running" | "waiting" | "success" | "error" | "canceled" | "crashed" | null;
            }[];
            /** @description true: other executions changed, too; read the list again */
            more: boolean;
        };
        ExecutionData: {
            resultData: components["schemas"]["ResultData"];
            executionData: Record<string, unknown>;
        };
        ExecutionPage: {
            data: components["schemas"]["Execution"][];
            /** @description null on the last page */
            nextCursor: string | null;
            /** @description executions that match the filter; exact up to 10,000 */
            count: number;
            /** @description whether `count` is an estimate */
            estimated: boolean;
            /** @description running executions that the caller can see */
            concurrentExecutionsCount: number;
        };
        /** ExpressionPreview */
        ExpressionPreview: {
            /** @description items at the first input of the node */
            itemCount: number;
            /** @description one for each expression in the parameters */
            expressions: {
                /** @description dotted path in the parameters */
                path: string;
                /** @description absent: undefined, too large, or failed */
                value?: unknown;
                /** @description true: the value is longer than 64 KiB of JSON */
                tooLarge?: boolean;
                error?: {
                    message: string;
                    code?: string;
                };
            }[];
        };
        InsertDataRowsBody: {
            /** @description rows; all are inserted, or none */
            data: Record<string, unknown>[];
        };
        InsertedDataRows: {
            data: components["schemas"]["DataRowView"][];
        };
        Item: {
            /** @description an object; nodes of older versions may return a list */
            json: Record<string, unknown> | unknown[];
            binary?: Record<string, unknown>;
        };
        MemberList: components["schemas"]["ProjectMember"][];
        NewCredentialName: {
            name: string;
        };
        /** Node */
        Node: {
            id?: string;
            name: string;
            /** @description node type identifier; it need not exist until the workflow runs */
            type: string;
            typeVersion?: number;
            position: number[];
            parameters: Record<string, unknown>;
            credentials?: {
                [key: string]: {
                    id?: string | null;
                    name?: string;
                };
            };
            disabled?: boolean;
            /** @enum {string} */
            onError?: "stopWorkflow" | "continueRegularOutput" | "continueErrorOutput";
            continueOnFail?: boolean;
            retryOnFail?: boolean;
            maxTries?: number;
            waitBetweenTries?: number;
            executeOnce?: boolean;
            alwaysOutputData?: boolean;
        };
        NodeFinishedEvent: {
            executionId: string;
            nodeName: string;
            /** @description 0-based count of this node’s runs within the execution */
            runIndex: number;
            /** @enum {string} */
            executionStatus: "success" | "error";
            startTime: number | null;
            /** @description milliseconds */
            executionTime: number | null;
            error?: components["schemas"]["ErrorRecord"];
        };
        NodeMethodReply: {
            /** @description loadOptions: choices with name and value; listSearch: `results` and `paginationToken`; resourceMapping: `fields`; credentialTest: `status` and `message`; actionHandler: any value */
            data: unknown;
        };
        /** NodePackage */
        NodePackage: {
            /** @description package name, or folder name if unknown */
            name: string;
            /** @description null: it was not loaded */
            version: string | null;
            /** @enum {string} */
            status: "loaded" | "failed";
            nodeTypes: string[];
            credentialTypes: string[];
            /** @description problems of skipped types, each with its file */
            skipped: string[];
            /** @description why it was not loaded */
            reason: string | null;
        };
        NodePackageList: {
            data: components["schemas"]["NodePackage"][];
        };
        NodeRun: {
            /** @description milliseconds since the epoch */
            startTime: number;
            /** @description milliseconds */
            executionTime: number;
            /** @enum {string} */
            executionStatus: "success" | "error";
            source: (Record<string, unknown> | null)[];
            data?: {
                [key: string]: (components["schemas"]["Item"][] | null)[];
            };
            /** @description use of a sub-node: connection type → its input */
            inputOverride?: {
                [key: string]: (components["schemas"]["Item"][] | null)[];
            };
            error?: components["schemas"]["ErrorRecord"];
            /** @description notes from the node to users who look at the run; at most 20 */
            hints?: {
                message: string;
                /** @enum {string} */
                type?: "info" | "warning" | "danger";
                /** @enum {string} */
                location?: "outputPane" | "inputPane" | "ndv";
                /** @enum {string} */
                whenToDisplay?: "always" | "beforeExecution" | "afterExecution";
            }[];
            /** @description the node’s information about the run, besides its output; at most 64 KB */
            metadata?: Record<string, unknown>;
        };
        NodeStartedEvent: {
            executionId: string;
            nodeName: string;
            /** @description 0-based count of this node’s runs within the execution */
            runIndex: number;
            /** @description milliseconds since the epoch */
            startTime: number;
        };
        /** NodeType */
        NodeType: {
            /** @description identifier, as in `type` of nodes */
            type: string;
            displayName: string;
            name: string;
            group: string[];
            version: number | number[];
            description?: string;
            /** @description true: newer types replace it */
            deprecated?: boolean;
            defaults?: Record<string, unknown>;
            inputs: string[];
            outputs: string[];
            properties: Record<string, unknown>[];
            credentials?: Record<string, unknown>[];
            /** @description sub-nodes that a node of the type accepts, such as models and tools; absent: unknown */
            subNodes?: {
                /** @description connection type, such as `ai_tool` */
                type: string;
                displayName?: string;
                required?: boolean;
                /** @description absent: any number */
                maxCount?: number;
                /** @description parameters with which the type accepts them */
                displayOptions?: Record<string, unknown>;
            }[];
            /** @description an agent can call a node of the type, whose name is then this one with `Tool` appended */
            usableAsTool?: boolean;
        };
        NodeTypePage: {
            data: components["schemas"]["NodeType"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        OpenTestUrlsBody: {
            workflowData?: components["schemas"]["WorkflowData"];
        };
        /** @description node name → items that replace a run of it in mode `manual`; an object without `json` is an item's JSON */
        PinData: {
            [key: string]: Record<string, unknown>[];
        } | null;
        PreviewExpressionsBody: {
            /** @description node of the workflow whose expressions are evaluated */
            nodeName: string;
            /** @description replace the parameters of the node; each string that begins with `=` is evaluated */
            parameters?: Record<string, unknown>;
            /**
             * Format: execution-id
             * @description execution of the workflow whose data expressions read; requires the scope execution:read; absent: pinned data only
             */
            executionId?: string;
            /**
             * @description item of the first input for which they are evaluated
             * @default 0
             */
            itemIndex?: number;
            workflowData?: components["schemas"]["WorkflowData"];
        };
        /** Project */
        Project: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "personal" | "team";
            /**
             * @description the caller’s role; null: not a member
             * @enum {string|null}
             */
            role: "project:viewer" | "project:editor" | "project:admin" | null;
            weight: number;
            /** @description maximum number of its executions that run at once; further ones wait */
            concurrency: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
        };
        /** ProjectMember */
        ProjectMember: {
            projectId: string;
            userId: string;
            email: string;
            /**
             * @description ascending: viewers read, editors also change and run, admins also administer
             * @enum {string}
             */
            role: "project:viewer" | "project:editor" | "project:admin";
        };
        ProjectPage: {
            data: components["schemas"]["Project"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        /** Queue */
        Queue: {
            /** @description executions that wait for a worker, up to 100,000 */
            queued: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            oldestQueuedAt: string | null;
            /** @description executions that wait for a concurrency or rate limit, up to 100,000 */
            blocked: number;
            /** @description maximum number of a project’s executions that wait; further starts are 429 */
            maxPerProject: number;
            /** @description the 20 projects with the most executions that wait for a worker */
            projects: {
                projectId: string;
                projectName: string;
                queued: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                oldestQueuedAt: string;
            }[];
        };
        /** Registration */
        Registration: {
            nodeName: string;
            /** @description `webhook:` and the name of the webhook, or `hooks` */
            name: string;
            /**
             * @description pending: to be registered again; ending: to be removed, which is tried for a day
             * @enum {string}
             */
            state: "registered" | "pending" | "ending";
            /** @description number of consecutive failures */
            failures: number;
            /** @description message of the last failure */
            lastError: string | null;
            /**
             * Format: date-time
             * @description time of the next try
             */
            retryAt: string | null;
        };
        RenameDataColumnBody: {
            name: string;
        };
        RenameDataTableBody: {
            name: string;
        };
        ResultData: {
            /** @description node name → its runs */
            runData: {
                [key: string]: components["schemas"]["NodeRun"][];
            };
            error?: components["schemas"]["ErrorRecord"];
            lastNodeExecuted?: string;
            /** @description custom data that the workflow set in `$execution.customData` */
            metadata?: {
                [key: string]: string;
            };
        };
        RetryExecutionBody: {
            /**
             * @description true: the newest graph; false: the original one
             * @default false
             */
            loadWorkflow?: boolean;
            /** @description `start`, or the name of the node to start from; absent: the failed node */
            from?: string;
        };
        RetryView: {
            /** @description decimal; increases with time */
            id: string;
            workflowId: string;
            /** @enum {string} */
            status: "new" | "running" | "waiting" | "success" | "error" | "canceled" | "crashed";
            /** @enum {string} */
            mode: "manual" | "trigger" | "webhook" | "retry";
            /** @description decimal; increases with time */
            retryOf: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            startedAt: string | null;
        };
        /** Run */
        Run: {
            executionId: string;
            /** @description false: the run continues; poll GET /executions/:id */
            finished: boolean;
            /** @enum {string} */
            status: "new" | "running" | "waiting" | "success" | "error" | "canceled" | "crashed";
            data: {
                resultData: components["schemas"]["ResultData"];
            };
            /** @description parts of the request without effect; absent if there are none */
            warnings?: {
                /** @description `UNKNOWN_PROPERTY` */
                code: string;
                /** @description JSON pointer into the body */
                path: string;
                message: string;
            }[];
        };
        RunWorkflowBody: {
            workflowData?: components["schemas"]["WorkflowData"];
            /** @description names of nodes to start from */
            startNodes?: string[];
            /** @description name of the node to run up to */
            destinationNode?: string;
            /** @description inputs of the start nodes: node name → its runs */
            runData?: {
                [key: string]: {
                    startTime?: number;
                    executionTime?: number;
                    /** @description the run is ignored unless this is `success` (the default) */
                    executionStatus?: string;
                    /** @description per input, the source of its items; default: derived from the connections if unambiguous */
                    source?: ({
                        previousNode: string;
                        previousNodeOutput?: number;
                        previousNodeRun?: number;
                    } | null)[];
                    data?: {
                        [key: string]: (components["schemas"]["Item"][] | null)[];
                    };
                    contextAfter?: Record<string, unknown>;
                }[];
            };
        };
        ScopeList: ("workflow:read" | "workflow:create" | "workflow:update" | "workflow:delete" | "workflow:execute" | "workflow:list" | "workflow:activate" | "workflow:deactivate" | "credential:read" | "credential:create" | "credential:update" | "credential:delete" | "credential:list" | "credential:share" | "execution:read" | "execution:list" | "execution:retry" | "execution:stop" | "execution:delete")[];
        /** Session */
        Session: {
            /** @description ends the session: `DELETE /sessions/{id}` */
            id: string;
            /** @description the key of the session, with every scope of the user; it is returned only once */
            apiKey: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            expiresAt: string;
            user: {
                id: string;
                email: string;
            };
        };
        Settings: {
            /**
             * @description `v1`: one branch to its end after the other, by position; `v0` (default): all branches in turn
             * @enum {string}
             */
            executionOrder?: "v0" | "v1";
            /** @description IANA zone; absent, empty or `DEFAULT`: the service’s time zone */
            timezone?: string;
            /** @description id of the workflow that starts when an execution fails; `DEFAULT` or empty: none */
            errorWorkflow?: string;
            /** @description seconds; absent, 0 or negative: no limit */
            executionTimeout?: number;
            /** @description turns relative to other workflows of the project while more executions are queued than can start: 1 to 10, default 5 */
            priority?: number;
            /** @description absent: no limit; the newest saved version applies to the executions of all versions */
            concurrency?: {
                /** @description maximum number of its executions that run at once; further ones wait */
                limit: number;
                /**
                 * @description `queue` (default): further executions wait; `skip`: they end as `canceled`
                 * @enum {string}
                 */
                whenFull?: "queue" | "skip";
            };
            /** @description workflows that may call this one: `any`, `none`, `workflowsFromSameOwner` (default; workflows of its project) or `workflowsFromAList` */
            callerPolicy?: string | null;
            /** @description with `workflowsFromAList`: ids of workflows, separated by commas */
            callerIds?: string | null;
            /** @description `all` (default), or `none`: successful executions are deleted when they end */
            saveDataSuccessExecution?: string | null;
            /** @description `all` (default), or `none`: failed executions are deleted when they end */
            saveDataErrorExecution?: string | null;
            /** @description false: manual executions are deleted when they end */
            saveManualExecutions?: boolean | string | null;
            /** @description ticks of schedules that were missed: `skip` (default), or `once`: one execution makes up for all of them */
            misfirePolicy?: string | null;
            /** @description a tick while the previous execution runs: `allow` (default), `skip` or `queue` */
            overlapPolicy?: string | null;
        };
        ShareCredentialBody: {
            /** @description ids of the projects that may read and use it; replaces the previous ones */
            shareWithIds: string[];
        };
        /** StartedConsent */
        StartedConsent: {
            /** @description a page to open in the user’s browser: it names the requester, binds the authorization to this browser, and redirects to the service */
            authorizationUrl: string;
            /**
             * Format: date-time
             * @description when the authorization expires
             */
            expiresAt: string;
        };
        /** Statistics */
        Statistics: {
            /** @enum {string} */
            range: "1h" | "6h" | "24h" | "7d" | "30d";
            /** @description length of a bucket */
            bucketSeconds: number;
            /** @description executions that have not ended, now; each count up to 100,000 */
            live: {
                /** @description executions with the status `new` */
                queued: number;
                /** @description executions with the status `running` */
                running: number;
                /** @description executions with the status `waiting` */
                waiting: number;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                oldestQueuedAt: string | null;
            };
            /** @description the whole period */
            total: {
                /** @description executions that ended `success` */
                succeeded: number;
                /** @description executions that ended `error` or `crashed` */
                failed: number;
                /** @description executions that ended `canceled` */
                canceled: number;
                /** @description milliseconds from start to end, waits included, that 50% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p50Ms: number | null;
                /** @description milliseconds from start to end, waits included, that 95% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p95Ms: number | null;
                /** @description milliseconds from start to end, waits included, that 99% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p99Ms: number | null;
            };
            /** @description oldest first, without gaps; an execution counts in the bucket in which it ended */
            buckets: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                at: string;
                /** @description executions that ended `success` */
                succeeded: number;
                /** @description executions that ended `error` or `crashed` */
                failed: number;
                /** @description executions that ended `canceled` */
                canceled: number;
                /** @description milliseconds from start to end, waits included, that 50% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p50Ms: number | null;
                /** @description milliseconds from start to end, waits included, that 95% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p95Ms: number | null;
                /** @description milliseconds from start to end, waits included, that 99% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p99Ms: number | null;
            }[];
            /** @description ten workflows with the highest p95 of the duration */
            slowest: {
                workflowId: string;
                workflowName: string;
                /** @description executions that ended `success` */
                succeeded: number;
                /** @description executions that ended `error` or `crashed` */
                failed: number;
                /** @description executions that ended `canceled` */
                canceled: number;
                /** @description milliseconds from start to end, waits included, that 50% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p50Ms: number | null;
                /** @description milliseconds from start to end, waits included, that 95% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p95Ms: number | null;
                /** @description milliseconds from start to end, waits included, that 99% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p99Ms: number | null;
            }[];
            /** @description ten workflows with the most failures */
            mostFailing: {
                workflowId: string;
                workflowName: string;
                /** @description executions that ended `success` */
                succeeded: number;
                /** @description executions that ended `error` or `crashed` */
                failed: number;
                /** @description executions that ended `canceled` */
                canceled: number;
                /** @description milliseconds from start to end, waits included, that 50% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p50Ms: number | null;
                /** @description milliseconds from start to end, waits included, that 95% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p95Ms: number | null;
                /** @description milliseconds from start to end, waits included, that 99% of the executions with status success or error did not exceed, within 5%; null: no such executions */
                p99Ms: number | null;
            }[];
        };
        StatusEvent: {
            executionId: string;
            /** @enum {string} */
            status: "new" | "running" | "waiting" | "success" | "error" | "canceled" | "crashed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            stoppedAt: string | null;
            error?: components["schemas"]["ErrorRecord"];
        };
        StopManyBody: {
            filter: {
                /** @description `all` (the default), or a workflow id */
                workflowId?: string;
                /** @description absent: every project of the caller */
                projectId?: string;
                /** @enum {string} */
                mode?: "manual" | "trigger" | "webhook" | "retry";
                status: ("running" | "waiting" | "queued")[];
                /** Format: instant */
                startedAfter?: string;
                /** Format: instant */
                startedBefore?: string;
            };
            /**
             * @description true: only counts; stops nothing
             * @default false
             */
            dryRun?: boolean;
            /** @description stops at most this number of executions, oldest first; repeat to stop the rest */
            limit?: number;
        };
        StopManyView: {
            /** @description executions stopped; with `dryRun`: executions that would be stopped */
            stopped: number;
        };
        StoppedExecution: {
            /** @description decimal; increases with time */
            id: string;
            /** @enum {string} */
            status: "canceled";
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            stoppedAt: string;
        };
        SuccessView: {
            /** @constant */
            success: true;
        };
        /** Tag */
        Tag: {
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
        };
        TagBody: {
            name: string;
        };
        /** @description tag ids */
        TagIds: string[];
        TagPage: {
            data: components["schemas"]["Tag"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        TestCredentialBody: {
            credentials: {
                /** @description ID of the stored credential; empty: not stored yet */
                id: string;
                /** @description credential type identifier, for example `httpBasicAuth` */
                type: string;
                /** @description values to test in place of the stored ones; at most 64 KiB in a field, 1024 KiB in total, and 5000 different strings, including those in JSON */
                data?: Record<string, unknown>;
            };
        };
        /** TestUrls */
        TestUrls: {
            /** @description whether they still accept a request: none has arrived, and they have not expired */
            open: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            expiresAt: string;
            /** @description the execution that the request started; null: no request has arrived */
            executionId: string | null;
            urls: components["schemas"]["TriggerUrl"][];
        };
        TransferCredentialBody: {
            destinationProjectId: string;
        };
        TransferWorkflowBody: {
            destinationProjectId: string;
            /**
             * @description share the credentials that the nodes name, if the source project owns them, with the destination
             * @default false
             */
            shareCredentials?: boolean;
        };
        /** Trigger */
        Trigger: {
            /** @description the node where its executions start */
            nodeName: string;
            /**
             * @description the event source; poll: it checks for new data; listen: one worker keeps a connection for it; workflow: activation of the workflow, or of another version of it
             * @enum {string}
             */
            kind: "schedule" | "webhook" | "form" | "poll" | "listen" | "workflow";
            /**
             * @description starting: a listener that does not listen yet, or just started; failing: it failed, and is retried at `retryAt`
             * @enum {string}
             */
            status: "active" | "starting" | "failing";
            /**
             * Format: date-time
             * @description for schedules and polls: when it is due next; null: never again, or not by time
             */
            nextRunAt: string | null;
            /** @description the execution that it started last; null: none, or not recorded, as for webhooks and forms */
            lastExecutionId: string | null;
            /** @description for schedules: the last tick that started no execution */
            lastSkip: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                at: string;
                /**
                 * @description missed: no worker was running; overlap: the previous execution had not ended; queueFull: the project had reached its limit of executions waiting to start
                 * @enum {string}
                 */
                reason: "missed" | "overlap" | "queueFull";
            } | null;
            /** @description for schedules, polls and listeners: number of consecutive failures; other kinds do not fail */
            failures: number;
            /** @description message of the last failure; null after a success */
            lastError: string | null;
            /**
             * Format: date-time
             * @description after a failure: when it is retried
             */
            retryAt: string | null;
            /**
             * Format: date-time
             * @description for polls and listeners: when it last polled, listened or started an execution
             */
            lastSuccessAt: string | null;
            /** @description for polls and listeners: the worker that runs it now */
            heldBy: string | null;
            /** @description for webhooks and forms: the addresses that start executions */
            urls: components["schemas"]["TriggerUrl"][];
            /**
             * Format: date-time
             * @description time at which it got its current configuration
             */
            createdAt: string;
        };
        TriggerList: {
            data: components["schemas"]["Trigger"][];
            /** @description registrations of its nodes at remote services; after a deactivation: those still to be removed */
            registrations: components["schemas"]["Registration"][];
        };
        /** TriggerUrl */
        TriggerUrl: {
            /** @description the node where the execution starts */
            nodeName: string;
            /**
             * @description the kind of trigger
             * @enum {string}
             */
            kind: "webhook" | "form";
            methods: string[];
            /** @description a segment such as `:id` matches any string; without a host if the service does not know its own */
            url: string;
        };
        UpdateApiKeyBody: {
            label?: string;
            scopes?: ("workflow:read" | "workflow:create" | "workflow:update" | "workflow:delete" | "workflow:execute" | "workflow:list" | "workflow:activate" | "workflow:deactivate" | "credential:read" | "credential:create" | "credential:update" | "credential:delete" | "credential:list" | "credential:share" | "execution:read" | "execution:list" | "execution:retry" | "execution:stop" | "execution:delete")[];
        };
        UpdateCredentialBody: {
            name?: string;
            /** @description complete; `***REDACTED***` keeps a stored value; at most 64 KiB in a field, 1024 KiB in total, and 5000 different strings, including those in JSON */
            data?: Record<string, unknown>;
            isGlobal?: boolean;
            /** @description maximum number of its executions that run at once; further ones wait */
            concurrency?: number | null;
            /** @description maximum number of its executions that start within a second; further ones wait */
            ratePerSecond?: number | null;
        };
        UpdateEventSubscriptionBody: {
            name?: string;
            /** @description receives a POST for each event, signed as in Standard Webhooks */
            url?: string;
            events?: ("execution.finished" | "execution.failed" | "execution.crashed" | "execution.canceled" | "execution.waiting" | "workflow.created" | "workflow.updated" | "workflow.activated" | "workflow.deactivated" | "workflow.deleted")[];
            /** @description seconds to start or to resume after which an execution causes `execution.waiting` */
            waitingAfterSeconds?: number;
            active?: boolean;
        };
        UpdateExecutionBody: {
            /** @description replaces the given parts; an empty list or null removes them */
            annotation?: {
                tags?: components["schemas"]["TagIds"];
                /**
                 * @description null: no vote
                 * @enum {string|null}
                 */
                vote?: "up" | "down" | null;
            };
        };
        UpdateProjectBody: {
            name?: string;
            /** @description maximum number of its executions that run at once; further ones wait */
            concurrency?: number | null;
            /** @description turns relative to other projects while more executions are queued than can start; default 1; only owners and admins of the instance change it */
            weight?: number;
        };
        UpdateUserBody: {
            email?: string;
            /**
             * @description role in the whole instance
             * @enum {string}
             */
            role?: "owner" | "admin" | "member";
        };
        UpdateWorkflowBody: {
            name?: string;
            nodes?: components["schemas"]["Node"][];
            connections?: components["schemas"]["Connections"];
            settings?: components["schemas"]["Settings"];
            staticData?: Record<string, unknown> | null;
            pinData?: components["schemas"]["PinData"];
            tags?: components["schemas"]["TagIds"];
        };
        UpsertedDataRows: {
            /** @description rows that were changed */
            count: number;
            /** @description true: no row matched the filter, and a row was inserted */
            inserted: boolean;
            /** @description the first 250 changed rows, after the change; fewer if they exceed about 4 MB */
            data: components["schemas"]["DataRowView"][];
        };
        /** User */
        User: {
            id: string;
            /** @description lower case */
            email: string;
            /**
             * @description role in the whole instance
             * @enum {string}
             */
            role: "owner" | "admin" | "member";
            personalProjectId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
        };
        UserPage: {
            data: components["schemas"]["User"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        /** Worker */
        Worker: {
            id: string;
            hostname: string;
            pid: number;
            /** @description release of the service; null: a release that does not report it */
            version: string | null;
            /** @description installed packages of node types */
            packages: {
                name: string;
                version: string;
            }[];
            /** @description maximum number of executions that it runs at a time */
            concurrency: number;
            /** @description current limit of concurrent executions; null: not reported */
            capacity: number | null;
            /** @description number of executions that it runs; null: not reported */
            active: number | null;
            /** @description resident memory; null: not reported */
            memoryBytes: number | null;
            /** @description memory limit of the container, or else of the heap; null: not reported */
            memoryLimitBytes: number | null;
            /** @description maximum timer delay since the previous report, in milliseconds; null: not reported */
            loopLagMs: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            reportedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            leaseExpiresAt: string;
            /** @description milliseconds until the lease expires; negative: it has expired */
            leaseRemainingMs: number;
        };
        WorkerList: {
            data: components["schemas"]["Worker"][];
        };
        /** Workflow */
        Workflow: {
            id: string;
            name: string;
            active: boolean;
            nodes: components["schemas"]["Node"][];
            connections: components["schemas"]["Connections"];
            settings: components["schemas"]["Settings"];
            staticData: Record<string, unknown> | null;
            pinData?: components["schemas"]["PinData"];
            meta: Record<string, unknown> | null;
            tags: string[];
            projectId: string;
            /** @description the newest version */
            versionId: string;
            /** @description the active version, which triggers start */
            activeVersionId: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
            /** @description in the response to an activation: addresses of its webhooks and forms, if any */
            urls?: components["schemas"]["TriggerUrl"][];
            /** @description in responses to creation, update and activation, if any: parts that a run would refuse or ignore */
            warnings?: components["schemas"]["WorkflowWarning"][];
        };
        WorkflowData: {
            name?: string;
            nodes: components["schemas"]["Node"][];
            connections: components["schemas"]["Connections"];
            settings?: components["schemas"]["Settings"];
            pinData?: components["schemas"]["PinData"];
        };
        WorkflowPage: {
            data: components["schemas"]["Workflow"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        /** WorkflowVersion */
        WorkflowVersion: {
            /** @description the workflow’s `versionId` */
            id: string;
            workflowId: string;
            /** @description sequence number of the version within its workflow, from 1 */
            number: number;
            /** @description label set when the version was activated */
            name: string | null;
            description: string | null;
            /** @description ID of the user; null: deleted */
            authorId: string | null;
            /** @description whether triggers run this version */
            active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
        };
        /** WorkflowVersionContent */
        WorkflowVersionContent: {
            /** @description the workflow’s `versionId` */
            id: string;
            workflowId: string;
            /** @description sequence number of the version within its workflow, from 1 */
            number: number;
            /** @description label set when the version was activated */
            name: string | null;
            description: string | null;
            /** @description ID of the user; null: deleted */
            authorId: string | null;
            /** @description whether triggers run this version */
            active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /** @description name of the workflow in this version */
            workflowName: string;
            nodes: components["schemas"]["Node"][];
            connections: components["schemas"]["Connections"];
            settings: components["schemas"]["Settings"];
            pinData?: components["schemas"]["PinData"];
        };
        WorkflowVersionPage: {
            data: components["schemas"]["WorkflowVersion"][];
            /** @description null on the last page */
            nextCursor: string | null;
        };
        /** WorkflowWarning */
        WorkflowWarning: {
            /** @description `NO_TRIGGER`, `ACTIVE_VERSION_UNCHANGED`, `UNKNOWN_NODE_TYPE`, `UNKNOWN_NODE_TYPE_VERSION`, `UNKNOWN_PARAMETER`, `UNUSED_PARAMETER`, `INVALID_PARAMETER`, `INVALID_WORKFLOW_SETTING` or `NOT_SUPPORTED` */
            code: string;
            message: string;
            /** @description name of the node */
            node?: string;
            /** @description dotted path below the parameters of the node; without a node, below the workflow */
            path?: string;
        };
    };
    responses: {
        /** @description Conflict */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CONFLICT";
                };
            };
        };
        /** @description Conflict */
        ConflictOrCredentialInUse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CONFLICT" | "CREDENTIAL_IN_USE";
                };
            };
        };
        /** @description Conflict */
        ConflictOrCredentialUnreadable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CONFLICT" | "CREDENTIAL_UNREADABLE";
                };
            };
        };
        /** @description Conflict */
        ConflictOrIdempotencyKeyExecutionDeleted: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CONFLICT" | "IDEMPOTENCY_KEY_EXECUTION_DELETED";
                };
            };
        };
        /** @description Conflict */
        ConflictOrProjectNotEmpty: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CONFLICT" | "PROJECT_NOT_EMPTY";
                };
            };
        };
        /** @description Conflict */
        ConflictOrVersionConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CONFLICT" | "VERSION_CONFLICT";
                };
            };
        };
        /** @description Conflict */
        ConflictOrWebhookPathTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "CONFLICT" | "WEBHOOK_PATH_TAKEN";
                };
            };
        };
        /** @description Forbidden */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "FORBIDDEN";
                };
            };
        };
        /** @description Forbidden */
        ForbiddenOrLicenseRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "FORBIDDEN" | "LICENSE_REQUIRED";
                };
            };
        };
        /** @description Internal Server Error */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "INTERNAL_ERROR";
                };
            };
        };
        /** @description Bad Gateway */
        NodeMethodFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "NODE_METHOD_FAILED";
                };
            };
        };
        /** @description Not Found */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "NOT_FOUND";
                };
            };
        };
        /** @description Payload Too Large */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PAYLOAD_TOO_LARGE";
                };
            };
        };
        /** @description Payload Too Large */
        PayloadTooLargeOrStorageQuotaExceeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "PAYLOAD_TOO_LARGE" | "STORAGE_QUOTA_EXCEEDED";
                };
            };
        };
        /** @description Too Many Requests */
        QueueFullOrRateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "QUEUE_FULL" | "RATE_LIMITED";
                };
            };
        };
        /** @description Range Not Satisfiable */
        RangeNotSatisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "RANGE_NOT_SATISFIABLE";
                };
            };
        };
        /** @description Too Many Requests */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "RATE_LIMITED";
                };
            };
        };
        /** @description Bad Gateway */
        RegistrationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "REGISTRATION_FAILED";
                };
            };
        };
        /** @description Request Timeout */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "REQUEST_TIMEOUT";
                };
            };
        };
        /** @description Service Unavailable */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "SERVICE_UNAVAILABLE";
                };
            };
        };
        /** @description Unauthorized */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "UNAUTHORIZED";
                };
            };
        };
        /** @description Unsupported Media Type */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "UNSUPPORTED_MEDIA_TYPE";
                };
            };
        };
        /** @description Bad Request */
        ValidationError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "VALIDATION_ERROR";
                    details: Record<string, unknown>[];
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description identifies the request in the logs and in errors (`requestId`); an ID in the request is kept */
        "X-Request-Id": string;
        /** @description the limits that apply, by address and by key: `"ip";q=<requests>;w=<seconds>` */
        "RateLimit-Policy": string;
        /** @description remaining quota: `"ip";r=<requests>;t=<seconds until the reset>` */
        RateLimit: string;
        /** @description seconds to wait before the next try */
        "Retry-After": string;
        /** @description the scheme and the header of the key */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listWorkflows: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description only entries whose name contains this text, ignoring case */
                name?: string;
                /** @description true: only active ones; false: only inactive ones */
                active?: boolean;
                /** @description tag names, separated by commas; all must match */
                tags?: string;
                /** @description only entries of this project */
                projectId?: string;
                /** @description leaves `pinData` out */
                excludePinnedData?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkflowBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWorkflow: {
        parameters: {
            query?: {
                /** @description leaves `pinData` out */
                excludePinnedData?: boolean;
            };
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description the `ETag` that was read; if the resource has changed since, the response is 409 `VERSION_CONFLICT` */
                "If-Match"?: string;
            };
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWorkflow"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrVersionConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description the `ETag` that was read; if the resource has changed since, the response is 409 `VERSION_CONFLICT` */
                "If-Match"?: string;
            };
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkflowBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrVersionConflict"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    activateWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ActivateWorkflowBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrWebhookPathTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["RegistrationFailed"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deactivateWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    runWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=<seconds>` (at most 600) or `respond-async` (RFC 7240); anything else is ignored */
                Prefer?: string;
                /** @description the same key within 24 h, from the same user on the same path, returns the first execution */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunWorkflowBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyKeyExecutionDeleted"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QueueFullOrRateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewExpressions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewExpressionsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExpressionPreview"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTestUrls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestUrls"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    openTestUrls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenTestUrlsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestUrls"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrWebhookPathTaken"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    closeTestUrls: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessView"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    transferWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferWorkflowBody"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrLicenseRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWorkflowVersions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description only the version with this sequence number */
                number?: number;
            };
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowVersionPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWorkflowVersion: {
        parameters: {
            query?: {
                /** @description leaves `pinData` out */
                excludePinnedData?: boolean;
            };
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
                /** @description id of the version */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowVersionContent"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWorkflowTriggers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the workflow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the tag */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the tag */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the tag */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNodeTypes: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description only types with each of these words in their identifier, display name, or description, ignoring case */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeTypePage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNodeType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description name of the node type */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeType"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createNodeTypeMethod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description name of the node type */
                type: string;
                /** @description loadOptions, listSearch, resourceMapping, actionHandler or credentialTest */
                kind: string;
                /** @description name of the method; for loadOptions also the dotted path of a parameter with declared choices */
                method: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CallNodeMethodBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeMethodReply"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrCredentialUnreadable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["NodeMethodFailed"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNodePackages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePackageList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description one status, or several separated by commas */
                status?: string;
                /** @description includes the data */
                includeData?: boolean;
                /** @description only executions of this workflow */
                workflowId?: string;
                /** @description only entries of this project */
                projectId?: string;
                /** @description executions older than this one */
                lastId?: string;
                /** @description only executions that started at this time or later; for `new` executions, the creation time applies */
                startedAfter?: string;
                /** @description only executions that started at this time or earlier; for `new` executions, the creation time applies */
                startedBefore?: string;
                /** @description only executions that were started in this way */
                mode?: "manual" | "trigger" | "webhook" | "retry";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    stopManyExecutions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopManyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopManyView"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteExecutions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteExecutionsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteExecutionsView"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExecution: {
        parameters: {
            query?: {
                /** @description includes the data */
                includeData?: boolean;
            };
            header?: never;
            path: {
                /** @description id of the execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateExecutionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getExecutionWorkflow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutedWorkflow"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamExecutionEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description the `id` of the last received event: the stream continues after it */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description id of the execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    stopExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoppedExecution"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key within 24 h, from the same user on the same path, returns the first execution */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description id of the execution */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryExecutionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryView"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrIdempotencyKeyExecutionDeleted"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["QueueFullOrRateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStatistics: {
        parameters: {
            query?: {
                /** @description period up to now; its buckets are 1, 5 and 15 minutes, 2 and 8 hours long */
                range?: "1h" | "6h" | "24h" | "7d" | "30d";
                /** @description only executions of this project */
                projectId?: string;
                /** @description only executions of this workflow */
                workflowId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWorkers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkerList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getQueue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAttention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttentionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description entries at or after this time */
                since?: string;
                /** @description email or id of a user, or id of a key */
                actor?: string;
                /** @description type, id, or name of an object, id of a project, or id of a deleted execution */
                object?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBinaryData: {
        parameters: {
            query?: never;
            header?: {
                /** @description one range of bytes, such as `bytes=0-1023`: the response is 206; several ranges are not supported */
                Range?: string;
                /** @description the `ETag` of the file that the range belongs to */
                "If-Range"?: string;
                /** @description the `ETag` of the client’s copy: the response is 304 if it is still current */
                "If-None-Match"?: string;
            };
            path: {
                /** @description id of the file */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Partial Content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCredentialTypes: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTypePage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description name of the credential type */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialType"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description includes the caller’s scopes for each credential */
                includeScopes?: boolean;
                /** @description includes the data; 400 if it is larger than 32 MiB: a list has no pages */
                includeData?: boolean;
                /** @description omits credentials that the caller’s own projects own */
                onlySharedWithMe?: boolean;
                /** @description `false` omits global credentials */
                includeGlobal?: boolean;
                /** @description a JSON object with any of `name` (part of it, in any case), `type` and `projectId` */
                filter?: string;
                /** @description part of the name, in any case */
                "filter[name]"?: string;
                /** @description only credentials of this type */
                "filter[type]"?: string;
                /** @description only credentials that this project owns */
                "filter[projectId]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialList"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCredentialBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrLicenseRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNewCredentialName: {
        parameters: {
            query?: {
                /** @description the name to start with; a number is added if it is taken */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewCredentialName"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCredentialSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description name of the credential type */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestCredentialBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTestResult"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrCredentialUnreadable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCredential: {
        parameters: {
            query?: {
                /** @description includes the caller’s scopes for each credential */
                includeScopes?: boolean;
                /** @description includes the data */
                includeData?: boolean;
            };
            header?: never;
            path: {
                /** @description id of the credential */
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteCredential: {
        parameters: {
            query?: {
                /** @description 409 while a workflow names the credential */
                ifUnused?: boolean;
            };
            header?: never;
            path: {
                /** @description id of the credential */
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrCredentialInUse"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the credential */
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCredentialBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialSummary"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ConflictOrCredentialUnreadable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    authorizeCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the credential */
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedConsent"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrCredentialUnreadable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    shareCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the credential */
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareCredentialBody"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrLicenseRequired"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    transferCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the credential */
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferCredentialBody"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the API key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessView"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the API key */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApiKeyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessView"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessView"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedUser"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: {
                /** @description project that receives the workflows, credentials, and data tables */
                transferTo?: string;
            };
            header?: never;
            path: {
                /** @description id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessView"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrProjectNotEmpty"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUserBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: {
                /** @description project that receives the workflows, credentials, and data tables */
                transferTo?: string;
            };
            header?: never;
            path: {
                /** @description id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessView"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrProjectNotEmpty"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateProjectBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProjectMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addProjectMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the project */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddMemberBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectMember"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeProjectMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the project */
                id: string;
                /** @description id of the member */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuccessView"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateProjectMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the project */
                id: string;
                /** @description id of the member */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectMember"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventSubscriptions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description only entries of this project */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscriptionPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createEventSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEventSubscriptionBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscriptionWithSecret"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEventSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the event subscription */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscription"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteEventSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the event subscription */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscription"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateEventSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the event subscription */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEventSubscriptionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscription"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateEventSubscriptionSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the event subscription */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSubscriptionWithSecret"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testEventSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the event subscription */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description only deliveries with this status */
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                /** @description id of the event subscription */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDeliveryPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayEventDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the event subscription */
                id: string;
                /** @description id of the delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDataTables: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description only entries whose name contains this text, ignoring case */
                name?: string;
                /** @description only entries of this project */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataTablePage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDataTable: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDataTableBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataTable"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDataTable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataTable"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDataTable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataTable"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDataTable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameDataTableBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataTable"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addDataTableColumn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddDataColumnBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataTableColumn"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDataTableColumn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
                /** @description id of the column */
                columnId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataTableColumn"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameDataTableColumn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
                /** @description id of the column */
                columnId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameDataColumnBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataTableColumn"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDataTableRows: {
        parameters: {
            query?: {
                /** @description `nextCursor` of the previous page */
                cursor?: string;
                /** @description maximum number of entries per page */
                limit?: number;
                /** @description a `DataTableFilter` as JSON */
                filter?: string;
                /** @description column and direction; strings are ordered by their first 100 characters, and empty values come last */
                sortBy?: string;
            };
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataRowPage"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    insertDataTableRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InsertDataRowsBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InsertedDataRows"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDataTableRows: {
        parameters: {
            query: {
                /** @description a `DataTableFilter` as JSON */
                filter: string;
            };
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedDataRows"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDataTableRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeDataRowsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedDataRows"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    upsertDataTableRows: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description id of the data table */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeDataRowsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpsertedDataRows"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLargeOrStorageQuotaExceeded"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
        };
    };
}
