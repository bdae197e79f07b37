import type { PlantedBug } from './bugs.ts';

/** Small mistakes that a pull request could bring. They were chosen before a look at the tests. */
export const SMALL_BUGS: readonly PlantedBug[] = [
  {
    name: 'Matched files forgotten when waivers fail',
    file: 'run.ts',
    search: `    progress = discovered;
`,
    replacement: '',
    tests: [{ file: 'gate/waivers-base.test.ts', name: 'several mistakes is one list of problems, each on its line' }],
    wasMissed: true,
  },
  {
    name: 'Progress not advanced after saving open state',
    file: 'run.ts',
    search: `    progress = submitted;

`,
    replacement: `
`,
    tests: [{ file: 'gate/signals-stop.test.ts', name: 'its id is still saved, and the next run resumes it' }],
  },
  {
    name: 'State search ignores unknown LFS pointers',
    file: 'steps/load-history.ts',
    search: 'draft.toSubmit.length + draft.toAwait.length + draft.unknownPointers.length === 0',
    replacement: 'draft.toSubmit.length + draft.toAwait.length === 0',
    tests: [{ file: 'steps/load-history.test.ts', name: 'a pointer is unknown' }],
  },
  {
    name: 'First waivers file in pull request refused',
    file: 'steps/load-waivers.ts',
    search: 'if (!base && !here) throw',
    replacement: 'if (!base) throw',
    tests: [{ file: 'steps/load-waivers.test.ts', name: 'the waivers of a new file are all proposed' }],
  },
  {
    name: 'Unknown LFS pointers refused only in dry runs',
    file: 'steps/plan-files.ts',
    search: 'const problems = [...problemsIn(confirmed, inputs), ...(outage',
    replacement: 'const problems = [...confirmed.inspection.problems, ...tooMany(plan, inputs.maxFiles), ...(outage',
    tests: [{ file: 'steps/plan-files.test.ts', name: 'a pointer to an unknown file is refused' }],
  },
  {
    name: 'Skip without changed media not marked expected',
    file: 'steps/plan-files.ts',
    search: 'skip(noneChanged(matched.files.length), true)',
    replacement: 'skip(noneChanged(matched.files.length))',
    tests: [{ file: 'gate/events-only-changed.test.ts', name: 'passes without a check if no media changed' }],
    wasMissed: true,
  },
  {
    name: 'Earlier notices lost after the wait',
    file: 'steps/analyse-files.ts',
    search: `notices: [...submitted.notices, ...messages], stage: 'waited', waited`,
    replacement: `notices: messages, stage: 'waited', waited`,
    tests: [{ file: 'gate/waiting-last-read.test.ts', name: 'its own error message and its workflow are shown' }],
  },
  {
    name: 'Order of sidekicks changes their hash',
    file: 'plan/plan.ts',
    search: 'sidekickIds.toSorted().join()',
    replacement: 'sidekickIds.join()',
    tests: [{ file: 'plan/plan.test.ts', name: 'for the same sidekicks in any order, and another for others' }],
  },
  {
    name: 'Awaits analyses by other sidekicks',
    file: 'plan/plan.ts',
    search: `  for (const { submissionId, createdAt, sidekicks: used, assetIds, contents } of earlierState.open) {
    if (used !== sidekicks || losses.submissions.has(submissionId)) continue;`,
    replacement: `  for (const { submissionId, createdAt, assetIds, contents } of earlierState.open) {
    if (losses.submissions.has(submissionId)) continue;`,
    tests: [{ file: 'plan/plan.test.ts', name: 'changed sidekicks need another analysis' }],
  },
  {
    name: 'max-files refuses exactly the allowed number',
    file: 'plan/plan.ts',
    search: 'if (toSubmit.length <= maxFiles) return [];',
    replacement: 'if (toSubmit.length < maxFiles) return [];',
    tests: [{ file: 'plan/plan.test.ts', name: 'counts what would be sent' }],
  },
  {
    name: 'Issues at the threshold are not urgent',
    file: 'plan/read-earlier.ts',
    search: 'severityRank(severity) <= severityRank(failOnSeverity)',
    replacement: 'severityRank(severity) < severityRank(failOnSeverity)',
    tests: [{ file: 'plan/confirm.test.ts', name: 'with one, first those that can change the verdict' }],
  },
  {
    name: 'Cut-short read believes too few issues',
    file: 'plan/confirm.ts',
    search: `  const hasMore = (listed.issueCount ?? 0) > known.issues.length;
  if (outcome === 'unjudged' && isCutShort) return lastKnown(entry, issues, hasMore ? cause : undefined);`,
    replacement: `  if (outcome === 'unjudged' && isCutShort) return lastKnown(entry, issues);`,
    tests: [{ file: 'plan/confirm.test.ts', name: 'unjudged of which more issues are counted than are known' }],
  },
  {
    name: 'Earlier lost submissions forgotten when re-planning',
    file: 'plan/confirm.ts',
    search: 'submissions: losses.submissions.union(next.losses.submissions),',
    replacement: 'submissions: next.losses.submissions,',
    tests: [{ file: 'plan/confirm.test.ts', name: 'a content in two open submissions' }],
  },
  {
    name: 'Retryable failed assets treated as lost',
    file: 'plan/read-earlier.ts',
    search: 'hasFailed(asset) && !asset.isRetryable',
    replacement: 'hasFailed(asset)',
    tests: [{ file: 'plan/confirm.test.ts', name: 'one that can be retried in place' }],
  },
  {
    name: 'Merge queue base keeps its whole ref',
    file: 'github/context.ts',
    search: 'baseBranch: branchOf(group.base_ref),',
    replacement: 'baseBranch: group.base_ref,',
    tests: [{ file: 'github/context.test.ts', name: 'a merge group' }],
  },
  {
    name: 'ghe.com taken for an Enterprise Server',
    file: 'github/context.ts',
    search: `host !== 'github.com' && !host.endsWith('.ghe.com') && !host.endsWith('.localhost')`,
    replacement: `host !== 'github.com' && !host.endsWith('.localhost')`,
    tests: [{ file: 'github/context.test.ts', name: 'is GHES' }],
  },
  {
    name: 'Retention raised to maximum instead of capped',
    file: 'github/artifacts.ts',
    search: 'Math.min(days, max)',
    replacement: 'Math.max(days, max)',
    tests: [{ file: 'faults/artifacts.test.ts', name: 'the most that the repository allows' }],
  },
  {
    name: 'Creating a comment is repeated blindly',
    file: 'github/api.ts',
    search: `operation: 'write the comment', needs: 'pull-requests: write', isRepeatable: false`,
    replacement: `operation: 'write the comment', needs: 'pull-requests: write', isRepeatable: true`,
    tests: [{ file: 'github/api-refusals.test.ts', name: 'a comment is created once, even if the response is lost' }],
  },
  {
    name: 'GitHub rate limit not seen as outage',
    file: 'github/github-error.ts',
    search: `this.trouble === 'rate-limit' || this.trouble === 'unavailable' || this.trouble === 'unreadable'`,
    replacement: `this.trouble === 'unavailable' || this.trouble === 'unreadable'`,
    tests: [{ file: 'github/api-refusals.test.ts', name: 'the limit of an hour' }],
  },
  {
    name: 'Logged warnings not counted as annotations',
    file: 'github/runner.ts',
    search: `      spent.warning += 1;
`,
    replacement: '',
    tests: [{ file: 'faults/artifacts.test.ts', name: 'that is full is a warning, and the verdict stands' }],
  },
  {
    name: 'Changed-file check after upload not awaited',
    file: 'service/upload.ts',
    search: '    await assertUnchanged(content.file);',
    replacement: '    void assertUnchanged(content.file);',
    tests: [{ file: 'gate/service-uploads.test.ts', name: 'it is sent is an error, even if the service accepted it' }],
  },
  {
    name: 'Empty sidekick list sent by default',
    file: 'service/submit.ts',
    search: '...(sidekickIds && { sidekickIds }),',
    replacement: 'sidekickIds: sidekickIds ?? [],',
    tests: [{ file: 'service/submit.test.ts', name: 'the paths alone' }],
  },
  {
    name: 'Creation repeated after a 503',
    file: 'service/retries.ts',
    search: 'statuses: [429, 500, 502],',
    replacement: 'statuses: [429, 500, 502, 503],',
    tests: [{ file: 'service/retry-policy.test.ts', name: 'creating: statuses' }],
  },
  {
    name: '404 of an asset taken as final',
    file: 'service/wait.ts',
    search: 'if (error.status !== 404) this.#set({ ...asset, readError: error });',
    replacement: 'this.#set({ ...asset, readError: error });',
    tests: [{ file: 'service/wait.test.ts', name: 'an own answer that is not there yet is read again' }],
  },
  {
    name: 'Failed asset retried three times',
    file: 'service/asset-tracker.ts',
    search: 'retries < MAX_RETRIES &&',
    replacement: 'retries <= MAX_RETRIES &&',
    tests: [{ file: 'service/asset-tracker.test.ts', name: 'is made twice at most' }],
  },
  {
    name: 'Proven file name lost after a retry',
    file: 'service/collect.ts',
    search: 'filename: answer?.filename ?? asset.filename,',
    replacement: 'filename: answer?.filename,',
    tests: [{ file: 'service/collect.test.ts', name: 'the name that its own answer gives now, or gave before' }],
  },
  {
    name: 'Refused upload addresses keep their signature',
    file: 'service/requester.ts',
    search: 'endpoint === ENDPOINTS.uploadUrl && isSuccess(answer)',
    replacement: 'endpoint === ENDPOINTS.uploadUrl',
    tests: [{ file: 'service/requester.test.ts', name: 'is also removed from that one if it is a refusal' }],
  },
  {
    name: 'Topics of exactly two issues not read',
    file: 'service/asset-reader.ts',
    search: 'if (issues.length < 2) return [];',
    replacement: 'if (issues.length <= 2) return [];',
    tests: [{ file: 'service/collect.test.ts', name: 'the topics of several issues' }],
  },
  {
    name: 'Output minor-count has the major count',
    file: 'publish/outputs.ts',
    search: `'minor-count': String(counts.bySeverity.MINOR)`,
    replacement: `'minor-count': String(counts.bySeverity.MAJOR)`,
    tests: [{ file: 'publish/outputs.test.ts', name: 'have the numbers of the report' }],
  },
  {
    name: 'No comment after an error verdict',
    file: 'publish/post-comment.ts',
    search: `mode === 'always' || !report.isPassing`,
    replacement: `mode === 'always' || report.verdict === 'fail'`,
    tests: [{ file: 'publish/post-comment.test.ts', name: 'on-failure,' }],
  },
  {
    name: 'Own comment of a user token not found',
    file: 'publish/post-comment.ts',
    search:
      'return marked.find(({ user }) => user?.login === `${own}[bot]`) ?? marked.find(({ user }) => user?.login === own);',
    replacement: 'return marked.find(({ user }) => user?.login === `${own}[bot]`);',
    tests: [{ file: 'publish/post-comment.test.ts', name: 'on-failure,' }],
  },
  {
    name: 'sarif-file set although nothing was written',
    file: 'publish/publish.ts',
    search: 'sarifFile: reportDir && path.join(reportDir, SARIF_NAME)',
    replacement: 'sarifFile: path.join(target.folder, SARIF_NAME)',
    tests: [{ file: 'publish/publish.test.ts', name: 'cannot be written is a warning, and its outputs are empty' }],
  },
  {
    name: 'Comment not awaited before the step ends',
    file: 'publish/publish.ts',
    search: '    await writeComment(report,',
    replacement: '    void writeComment(report,',
    tests: [{ file: 'publish/publish.test.ts', name: 'the comment is written before the step ends' }],
  },
  {
    name: 'Page lost where single-file artifacts are refused',
    file: 'publish/report-folder.ts',
    search: `  const isPageUploaded = await uploadPage(copy, retentionDays);
  // Artifact storage is small, so the page and its media are stored once.
  const others = isPageUploaded ? files.filter((file) => file !== page) : files;
`,
    replacement: `  await uploadPage(copy, retentionDays);
  // Artifact storage is small, so the page and its media are stored once.
  const others = files.filter((file) => file !== page);
`,
    tests: [{ file: 'faults/artifacts.test.ts', name: 'is in the archive if it is refused' }],
  },
  {
    name: 'Waiver not applied on its last day',
    file: 'verdict/waivers.ts',
    search: 'waivers.filter(({ expires }) => expires >= today)',
    replacement: 'waivers.filter(({ expires }) => expires > today)',
    tests: [{ file: 'verdict/waivers.test.ts', name: 'that expires on' }],
  },
  {
    name: 'Dismissed base issues excuse changed bytes',
    file: 'verdict/judge-issues.ts',
    search: 'compare(open, file.issues.filter(isOpen)).added',
    replacement: 'compare(open, file.issues).added',
    tests: [{ file: 'verdict/judge-issues.test.ts', name: 'an open one is new if the base has only a dismissed one' }],
  },
  {
    name: 'Issues matched by rule without sidekick',
    file: 'verdict/compare.ts',
    search: `function kindOf({ ruleCode, sidekickId }: Comparable): string {
  return JSON.stringify([ruleCode, sidekickId ?? '']);`,
    replacement: `function kindOf({ ruleCode }: Comparable): string {
  return JSON.stringify([ruleCode]);`,
    tests: [{ file: 'verdict/compare.test.ts', name: 'another sidekick' }],
  },
  {
    name: 'Reason of mixed causes is the first',
    file: 'verdict/judge.ts',
    search: 'reason: (unforgivable ?? first).reason',
    replacement: 'reason: first.reason',
    tests: [{ file: 'verdict/judge.test.ts', name: 'passes an error only if every cause is the service' }],
  },
  {
    name: 'Baseline has files that are gone',
    file: 'verdict/baseline.ts',
    search: 'const issues = path.isPresent ? analyses.get(analysisOf(path)) : undefined;',
    replacement: 'const issues = analyses.get(analysisOf(path));',
    tests: [{ file: 'verdict/baseline.test.ts', name: 'what is gone from the branch, by path' }],
  },
  {
    name: 'Awaited files are not judged',
    file: 'verdict/judge.ts',
    search: `    ...plan.toAwait.flatMap(({ contents }) => contents),
`,
    replacement: '',
    tests: [{ file: 'verdict/judge.test.ts', name: 'a file that was awaited' }],
  },
];
