/**
 * @generated SignedSource<<f74dc9beb2c2de061e63d4f4ce401e35>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type appChangedSubscription$variables = {
  ids: ReadonlyArray<string>;
};
export type appChangedSubscription$data = {
  readonly lineageChanged: {
    readonly changedAt: string | null | undefined;
    readonly resourceId: string;
  };
};
export type appChangedSubscription = {
  response: appChangedSubscription$data;
  variables: appChangedSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "ids"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "ids",
        "variableName": "ids"
      }
    ],
    "concreteType": "LineageState",
    "kind": "LinkedField",
    "name": "lineageChanged",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "resourceId",
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "changedAt",
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "appChangedSubscription",
    "selections": (v1/*:: as any*/),
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "appChangedSubscription",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "ee06344f17d76103a39715179408c095",
    "id": null,
    "metadata": {},
    "name": "appChangedSubscription",
    "operationKind": "subscription",
    "text": "subscription appChangedSubscription(\n  $ids: [ID!]!\n) {\n  lineageChanged(ids: $ids) {\n    resourceId\n    changedAt\n  }\n}\n"
  }
};
})();

(node as any).hash = "f53b3622f875543dd005c45b359cf529";

export default node;
