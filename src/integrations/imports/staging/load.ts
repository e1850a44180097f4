// Gets what a source says into the scratch tables, batch by batch, and plans it.

import type { Context } from '../../../context.ts';
import { prepare } from '../../../database/scratch.ts';
import type {
  Extracted,
  ExtractedDeclaration,
  ExtractedLineage,
  ExtractedResource,
  ExtractedRun,
  ExtractedTest,
} from '../../readers/extraction.ts';
import { textLimits } from '../../readers/json-fields.ts';
import { badField } from '../../readers/place.ts';
import { isByKey, keepByKey, stageByKey, stageByName, stageNames } from '../edges/edges.ts';
import { type EdgeChanges, type EdgeOptions, findEdgeChanges } from '../edges/merge-edges.ts';
import { planEdges } from '../edges/plan-edges.ts';
import type { ImportOptions } from '../options.ts';
import { importingOf } from '../planning/importing.ts';
import { Labels } from '../planning/labels.ts';
import { OwnerNames } from '../planning/owners.ts';
import { makePlan, type PlanOptions } from '../planning/plan.ts';
import type { Recognized } from '../planning/recognize.ts';
import { foldDuplicates } from './fold.ts';
import { checkKey } from './key-length.ts';
import { stageNestedColumns } from './nested-columns.ts';
import { Problems } from './problems.ts';
import type { Stage } from './stage.ts';
import { stageResources, stageRuns, stageTests } from './stage-rows.ts';

/** Rows that are sent at once, and the most characters of long texts among them. */
const batchRows = 4_000;
/** Lines of lineage are short, and each statement that finds their ends takes a while to plan. */
const batchEdges = 10_000;
const batchCharacters = 2_000_000;
/** Characters of a row without its long texts, about. */
const rowCharacters = 300;
/** Characters of all declarations together: about ten thousand monitors with SQL of their own. */
const maxDeclaredCharacters = 16_000_000;

/**
 * Stages everything a source says, in two steps: the resources, whose plan then stands, and the rest.
 * Lineage must come after all resources, as all readers give it.
 */
export class Loader {
  readonly labels: Labels;
  readonly owners: OwnerNames;
  /** What is to become of edges, once all of them were read; null where the source has none. */
  edges: EdgeChanges | null = null;
  /** What is odd about what the source says. */
  readonly problems: Problems;
  /** True while something else reports how far the import is. */
  #isQuiet = false;
  readonly declared: ExtractedDeclaration[] = [];
  /** Where its things lie, once the resources were planned; null where it has none. */
  places: Recognized = null;
  #adapter = '';
  #ctx: Context;
  readonly #stage: Stage;
  readonly #options: ImportOptions;
  readonly #pieces: AsyncIterator<Extracted>;
  /** The first piece of lineage, once it was met. */
  #ahead: Extracted | null = null;
  #resources: ExtractedResource[] = [];
  #characters = 0;
  #declaredCharacters = 0;
  #lineage: ExtractedLineage[] = [];
  #tests: ExtractedTest[] = [];
  #runs: ExtractedRun[] = [];
  #seq = 0;
  #lineageDone = 0;
  #hasNames = false;
  #isKept = false;
  #sent: Promise<void> = Promise.resolve();
  readonly #edgeOptions: EdgeOptions;

  constructor(ctx: Context, stage: Stage, options: ImportOptions, edgeOptions: EdgeOptions) {
    this.#ctx = ctx;
    this.#stage = stage;
    this.#options = options;
    this.#edgeOptions = edgeOptions;
    this.#pieces = options.extraction[Symbol.asyncIterator]();
    this.labels = new Labels(ctx);
    this.owners = new OwnerNames(ctx);
    this.problems = new Problems((line) => options.watch.log(line));
  }

  /** How many resources were staged, those that are described more than once counted as often. */
  get resources(): number {
    return this.#seq;
  }

  /** Whether there is lineage to come. */
  get hasLineage(): boolean {
    return this.#ahead !== null;
  }

  /** Leave it to others to report how far the import is. */
  beQuiet(): void {
    this.#isQuiet = true;
  }

  /** Report how far the reading of lineage is, now and from now on. */
  speak(): void {
    this.#isQuiet = false;
    this.#options.watch.progress('reading lineage', this.#lineageDone);
  }

  /** Stage what comes before the lineage. Throws BAD_REQUEST for what is wrong. */
  async readResources(): Promise<void> {
    await this.#orEnd(async () => {
      this.#ahead = await this.#takeUntil(({ is }) => is === 'lineage');
      await this.#send();
      await this.#sent;
    });
  }

  /** Plan what was staged of resources. Throws BAD_REQUEST for what is wrong. */
  async planResources(): Promise<void> {
    await this.#orEnd(() => this.#plan());
  }

  /**
   * Stage and plan the rest. The context may be another than before, with a signal of its own. Throws
   * BAD_REQUEST for what is wrong.
   */
  async readRest(ctx: Context): Promise<void> {
    this.#ctx = ctx;
    await this.#orEnd(async () => {
      if (this.#ahead) {
        await this.#take(this.#ahead);
        await this.#takeUntil(() => false);
        await this.#send();
        await this.#sent;
      }
      await this.#end();
    });
  }

  /** Find out what is to become of edges, by the plan of resources as it is. */
  async findEdges(): Promise<void> {
    this.edges = await prepare(this.#ctx, async (tx) => {
      await planEdges(tx, this.#stage, this.#edgeOptions);
      return findEdgeChanges(tx, this.#stage, this.#edgeOptions);
    });
  }

  /** Take pieces up to one that is not to be taken yet; null when there are no more. */
  async #takeUntil(isAhead: (piece: Extracted) => boolean): Promise<Extracted | null> {
    for (;;) {
      const { done, value: piece } = await this.#pieces.next();
      if (done) return null;
      if (isAhead(piece)) return piece;
      const waiting = this.#take(piece);
      // Waiting costs a turn of the event loop even where there is nothing to wait for.
      if (waiting) await waiting;
    }
  }

  /** Do some work; where it fails, wait until nothing is under way, and read no further. */
  async #orEnd(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await this.#sent.catch(() => {});
      await this.#pieces.return?.();
      throw error;
    }
  }

  #take(piece: Extracted): Promise<void> | undefined {
    switch (piece.is) {
      case 'resource': {
        const { resource } = piece;
        checkKey(resource, this.#options.file);
        this.#resources.push(resource);
        this.#characters +=
          rowCharacters +
          (resource.description?.length ?? 0) +
          (resource.definition?.length ?? 0) +
          (resource.creationQuery?.length ?? 0);
        const isFull = this.#resources.length >= batchRows || this.#characters > batchCharacters;
        return isFull ? this.#send() : undefined;
      }
      case 'lineage':
        this.#lineage.push(piece.lineage);
        return this.#lineage.length >= batchEdges ? this.#send() : undefined;
      case 'test':
        this.#tests.push(piece.test);
        return this.#tests.length >= batchRows ? this.#send() : undefined;
      case 'run':
        this.#runs.push(piece.run);
        return this.#runs.length >= batchRows ? this.#send() : undefined;
      case 'declared':
        this.#keep(piece.declared);
        return undefined;
      case 'adapter':
        this.#adapter = piece.adapter;
        return undefined;
      case 'problem':
        this.problems.note(piece.problem);
        return undefined;
      case 'ignored':
        this.problems.ignore(piece.sort.slice(0, textLimits.name));
        return undefined;
    }
  }

  /** Declarations are checked all together, and so are kept until the end. */
  #keep(declared: ExtractedDeclaration): void {
    this.#declaredCharacters += rowCharacters + JSON.stringify(declared.value).length;
    this.declared.push(declared);
    if (this.#declaredCharacters <= maxDeclaredCharacters) return;
    const { file } = this.#options;
    const message = `ends what a project may declare: ${maxDeclaredCharacters} characters in all.`;
    throw badField({ file, line: declared.line }, declared.path, message);
  }

  /**
   * Send what was read, once what was sent before has arrived: the database works on one batch while
   * the next one is read.
   */
  async #send(): Promise<void> {
    const [resources, lineage] = [this.#resources, this.#lineage];
    const [tests, runs] = [this.#tests, this.#runs];
    [this.#resources, this.#lineage, this.#tests, this.#runs] = [[], [], [], []];
    this.#characters = 0;
    await this.#sent;
    this.#sent = (async () => {
      await this.#flushResources(resources);
      await this.#flushLineage(lineage);
      if (tests.length > 0) await stageTests(this.#ctx, this.#stage, tests);
      if (runs.length > 0) await stageRuns(this.#ctx, this.#stage, runs);
    })();
    // Anyone who waits for it next learns of its error; until then it is no one's.
    this.#sent.catch(() => {});
  }

  async #end(): Promise<void> {
    const { integration, covers } = this.#options;
    if (this.#isKept) {
      this.problems.count(
        await prepare(this.#ctx, (tx) => stageByKey(tx, this.#stage, integration.id)),
      );
    }
    if (covers.lineage) await this.findEdges();
    this.problems.noteCounts(this.owners.unknown);
  }

  async #flushResources(batch: readonly ExtractedResource[]): Promise<void> {
    if (batch.length === 0) return;
    this.#ctx.signal.throwIfAborted();
    for (const names of [this.labels, this.owners]) await names.meet(batch);
    const staged = batch.map((resource) => {
      this.#seq += 1;
      const tagIds = this.labels.tagIds(resource.tags);
      return { resource, seq: this.#seq, tagIds, owners: this.owners.of(resource) };
    });
    await stageResources(this.#ctx, this.#stage, staged);
    this.#options.watch.progress('reading resources', this.#seq);
  }

  async #plan(): Promise<void> {
    this.#options.watch.progress('comparing with the catalog', 0);
    const { file, note } = this.planning;
    await prepare(this.#ctx, async (tx) => {
      await foldDuplicates(tx, this.#stage, { file, note });
      this.#seq += await stageNestedColumns(tx, this.#stage, this.#seq);
      this.places = await makePlan(tx, this.#stage, this.planning);
    });
    for (const problem of this.places?.problems ?? []) note(problem);
  }

  /** What a plan of the resources is made with. */
  get planning(): PlanOptions {
    const describer = importingOf(this.#options, this.#adapter);
    const note = (problem: string) => this.problems.note(problem);
    return { describer, file: this.#options.file, staged: this.resources, note };
  }

  async #flushLineage(batch: readonly ExtractedLineage[]): Promise<void> {
    if (batch.length === 0) return;
    this.#ctx.signal.throwIfAborted();
    const { id } = this.#options.integration;
    if (isByKey(batch)) {
      this.#isKept = true;
      await keepByKey(this.#ctx, this.#stage, batch);
    } else {
      if (!this.#hasNames) {
        this.#hasNames = true;
        await prepare(this.#ctx, (tx) => stageNames(tx, this.#stage, id));
      }
      this.problems.count(await stageByName(this.#ctx, this.#stage, batch));
    }
    this.#lineageDone += batch.length;
    if (!this.#isQuiet) this.#options.watch.progress('reading lineage', this.#lineageDone);
  }
}
