import { type NodeType, nodeTypeOfVersion, type TestCredential } from '@sluice/node-sdk';

/**
 * Finds the tests that node types define for credential types that have no test. For each
 * credential type, the first node type with a test (`NodeCredential.testedBy`) wins.
 */
export function nodeCredentialTests(
  nodeTypes: ReadonlyMap<string, NodeType>,
): (credentialType: string) => TestCredential | undefined {
  const implementations = [...nodeTypes.values()].flatMap((type) => [
    ...Object.keys(type.versions ?? {}).map((version) => nodeTypeOfVersion(type, Number(version))),
    type,
  ]);
  return (credentialType) => {
    for (const { description, methods } of implementations) {
      const testedBy = description.credentials?.find(({ name }) => name === credentialType)?.testedBy;
      const test = testedBy === undefined ? undefined : methods?.credentialTest?.[testedBy];
      if (test) return test;
    }
    return undefined;
  };
}
