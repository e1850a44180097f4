/**
 * @generated SignedSource<<e45c853ecd7c472bb71093b455a7ef95>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type appTableQuery$variables = {
  name: string;
};
export type appTableQuery$data = {
  readonly resourceByName: {
    readonly id: string;
  } | null | undefined;
};
export type appTableQuery = {
  response: appTableQuery$data;
  variables: appTableQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "name"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "titleFull",
    "variableName": "name"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "appTableQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": null,
        "kind": "LinkedField",
        "name": "resourceByName",
        "plural": false,
        "selections": [
          (v2/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "appTableQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": null,
        "kind": "LinkedField",
        "name": "resourceByName",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "__typename",
            "storageKey": null
          },
          (v2/*:: as any*/)
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "a5f772a2b812a39142a257a66c8f6d87",
    "id": null,
    "metadata": {},
    "name": "appTableQuery",
    "operationKind": "query",
    "text": "query appTableQuery(\n  $name: String!\n) {\n  resourceByName(titleFull: $name) {\n    __typename\n    id\n  }\n}\n"
  }
};
})();

(node as any).hash = "e0ab3f6c62a7ba92650b8ffdd6975c83";

export default node;
