import { type NodeType, nodeTypeOfVersion, type TestCredential } from '@sluice/node-sdk';

/**
 * Finds tests that node types bring along for credential types which have none of their own: by the name of the credential type, the first type whose
 * description says how it is tested (`NodeCredential.testedBy`).
 */
export function testsOfNodes(nodeTypes: ReadonlyMap<string, NodeType>): (credentialType: string) => TestCredential | undefined {
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
