// Shares Prisma's query compiler between the databases of a test process.
//
// What it answers depends on prisma/schema.prisma and the question alone, but each client makes one of its
// own, and compiles every question again: a tenth of the time of tests that open hundreds of databases.
// vitest.config.ts puts this in the place of the module that it imports.

import { QueryCompiler as Compiler } from '../node_modules/@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs';

export * from '../node_modules/@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs';

/** Plans that are kept, and the longest question whose plan is: longer ones are made up of values. */
const maxPlans = 10_000;
const maxLength = 20_000;

/** By what it was made of. */
const shared = new Map();

/** Prisma's compiler, as its clients see it. */
export class QueryCompiler {
  constructor(options) {
    const key = JSON.stringify(options);
    const known = shared.get(key) ?? { compiler: new Compiler(options), plans: new Map() };
    shared.set(key, known);
    this.compiler = known.compiler;
    this.plans = known.plans;
  }

  compile(question) {
    const known = this.plans.get(question);
    if (known !== undefined) return known;
    const plan = this.compiler.compile(question);
    if (question.length <= maxLength && this.plans.size < maxPlans) this.plans.set(question, plan);
    return plan;
  }

  compileBatch(questions) {
    return this.compiler.compileBatch(questions);
  }

  /** The other clients still need it. */
  free() {}
}
