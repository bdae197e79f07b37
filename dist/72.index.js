export const id = 72;
export const ids = [72];
export const modules = {

/***/ 72:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   tell: () => (/* binding */ tell),
/* harmony export */   tellDefect: () => (/* binding */ tellDefect)
/* harmony export */ });
/* harmony import */ var _main_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(80342);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(51455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(76760);
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(77598);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(48161);





// src/verdict/verdict.ts
function decide(facts) {
	if (facts.failing > 0) return {
		name: "fail",
		reason: "issues",
		green: false
	};
	const [first] = facts.causes;
	if (first) {
		const own = facts.causes.find((cause) => !isServiceFault(cause));
		const isForgiven = facts.onServiceError === "warn" && !own && !facts.wasStopped;
		return {
			name: "error",
			reason: (own ?? first).reason,
			green: isForgiven
		};
	}
	if (facts.skipped) return {
		name: "skipped",
		reason: facts.skipped.reason,
		green: true
	};
	return {
		name: "pass",
		reason: "",
		green: true
	};
}
function isServiceFault({ reason }) {
	return reason === "service" || reason === "timeout";
}
// src/verdict/compare.ts
function compare(current, earlier) {
	const pool = Map.groupBy(earlier.toSorted(bySeverity), kindOf);
	const added = new Set();
	for (const issue of current.toSorted(bySeverity)) {
		const same = pool.get(kindOf(issue)) ?? [];
		const index = same.findLastIndex(({ severity }) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(severity) <= (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(issue.severity));
		if (index === -1) added.add(issue);
		else same.splice(index, 1);
	}
	return {
		added,
		gone: [...pool.values()].flat()
	};
}
function kindOf({ ruleCode, sidekickId }) {
	return JSON.stringify([ruleCode, sidekickId ?? ""]);
}
function bySeverity(a, b) {
	return (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(a.severity) - (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(b.severity);
}
// src/verdict/judge.ts
function judge(issues, place, rules) {
	const added = rules.baseline && addedTo(rules.baseline, issues, place, rules);
	return issues.map((issue) => {
		const isNew = added?.has(issue);
		const waiver = acceptanceOf(rules.waivers?.waiverFor(issue, place.paths));
		const standing = standingOf(issue, isNew, waiver, rules);
		return {
			...issue,
			standing,
			isNew,
			waiver,
			failsGate: standing === "active" && reaches(issue.severity, rules.failOnSeverity)
		};
	}).toSorted((a, b) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(a.severity) - (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(b.severity));
}
function acceptanceOf(waiver) {
	return waiver && {
		owner: waiver.owner,
		reason: waiver.reason,
		expires: waiver.expires
	};
}
function standingOf(issue, isNew, waiver, rules) {
	if (isIgnored(issue, rules)) return "ignored";
	if (waiver) return "waived";
	return rules.failOnIssues === "new" && isNew === false ? "known" : "active";
}
function reaches(severity, threshold) {
	return threshold !== "never" && (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(severity) <= (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(threshold);
}
function isIgnored({ status }, { ignoreStatuses }) {
	return ignoreStatuses.includes(status.toUpperCase());
}
function addedTo(baseline, issues, { sha256, paths }, rules) {
	const isOpen = (issue) => !isIgnored(issue, rules);
	const { open = [], ignored = [] } = Object.groupBy(issues, (issue) => isOpen(issue) ? "open" : "ignored");
	return paths.reduce((added, path) => {
		const file = baseline.fileAt(path, sha256);
		if (!file || file.sha256 === sha256) return added.union(compare(issues, file?.issues ?? []).added);
		return added.union(compare(open, file.issues.filter(isOpen)).added).union(compare(ignored, file.issues).added);
	}, new Set());
}
// src/report/assets.ts
function reportedAssets(trail, now) {
	const { inputs, plan, history, waivers } = trail;
	if (!inputs || !plan) return [];
	const results = new Map([...trail.reused, ...trail.analysed].map((result) => [result.content.sha256, result]));
	const grounds = {
		rules: {
			...inputs,
			baseline: history.baseline,
			waivers
		},
		earlierState: history.earlierState,
		issueUrl: inputs.issueUrl
	};
	return originsIn(plan, trail.submission !== void 0, now).map(([content, origin]) => reportedAsset(content, origin, results.get(content.sha256), grounds)).toSorted(worseFirst);
}
function originsIn(plan, isSent, now) {
	const today = now.toISOString();
	const sent = isSent ? {
		source: "sent",
		analysedAt: today
	} : {
		source: "not-sent",
		analysedAt: void 0
	};
	return [
		...plan.submit.map(({ content, why }) => [content, {
			...sent,
			sourceReason: why
		}]),
		...plan.await.flatMap(({ contents, createdAt }) => {
			const origin = {
				source: "awaited",
				sourceReason: `sent ${createdAt.slice(0, 10)}`,
				analysedAt: today
			};
			return contents.map((content) => [content, origin]);
		}),
		...plan.reuse.map(({ content, known }) => [content, {
			source: "reused",
			sourceReason: "unchanged",
			analysedAt: known.analysedAt
		}])
	];
}
function reportedAsset(content, origin, result, { rules, earlierState, issueUrl: template }) {
	const isJudged = result?.outcome === "judged";
	const { mime, category } = content.file?.type ?? typeOfPointer(content);
	return {
		paths: content.paths,
		size: content.size,
		sha256: content.sha256,
		mime,
		category,
		...origin,
		analysedAt: isJudged ? origin.analysedAt : void 0,
		submissionId: result?.submissionId,
		assetId: result?.assetId,
		versionNumber: result?.versionNumber,
		versionCount: result?.versionCount,
		retries: result?.retries ?? 0,
		outcome: result?.outcome ?? "unjudged",
		issues: judge(result?.issues ?? [], content, rules).map((issue) => ({
			...issue,
			url: template === void 0 ? void 0 : linkTo(issue, result, template)
		})),
		fixed: isJudged ? fixedSince(content, result.issues, earlierState) : void 0,
		topics: result?.topics ?? []
	};
}
function linkTo({ id, referenceNumber }, result, template) {
	return (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.p)(template, {
		referenceNumber: String(referenceNumber ?? ""),
		issueId: id,
		assetId: result?.assetId ?? "",
		submissionId: result?.submissionId ?? ""
	});
}
function typeOfPointer({ paths }) {
	return (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.l)((0,_main_js__WEBPACK_IMPORTED_MODULE_0__.c)(paths[0] ?? "")) ?? {
		mime: "application/octet-stream",
		category: void 0
	};
}
function fixedSince({ paths, sha256 }, issues, earlierState) {
	const before = paths.map((path) => earlierState.path(path)?.sha256).find((earlier) => earlier !== void 0 && earlier !== sha256);
	const known = before === void 0 ? void 0 : earlierState.content(before);
	return known && compare(issues, known.issues).gone;
}
function worseFirst(a, b) {
	return badness(a) - badness(b) || ((a.paths[0] ?? "") < (b.paths[0] ?? "") ? -1 : 1);
}
function badness({ issues, outcome }) {
	if (issues.some(({ failsGate }) => failsGate)) return 0;
	if (outcome !== "judged") return 1;
	const worst = issues.find(({ standing }) => standing === "active");
	return 2 + (worst ? (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(worst.severity) : _main_js__WEBPACK_IMPORTED_MODULE_0__.m.length);
}
// src/report/phrases.ts
function countFiles(assets) {
	return assets.reduce((sum, { paths }) => sum + paths.length, 0);
}
function stopping(issues) {
	return `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(issues, "issue")} ${issues === 1 ? "stops" : "stop"} the check`;
}
function andMore(number, noun, frame) {
	return number > 0 ? frame(`and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(number, `more ${noun}`)}`) : "";
}
function day(time) {
	return /^\d{4}-\d\d-\d\dT/.test(time) ? time.slice(0, 10) : time;
}
const VERDICTS = {
	pass: "PASS",
	fail: "FAIL",
	error: "ERROR",
	skipped: "NOT CHECKED"
};
function title(report) {
	const hasLooked = report.verdict === "fail" || report.verdict === "error";
	const sandbox = report.mode === "sandbox" && hasLooked ? " (sandbox: nothing was analysed)" : "";
	return `${VERDICTS[report.verdict]}: ${report.headline}${sandbox}`;
}
const MARKS = {
	pass: "✅",
	fail: "❌",
	error: "🛑",
	skipped: "⏭️"
};
function verdictMark(report) {
	return report.verdict === "error" && report.green ? "⚠️" : MARKS[report.verdict];
}
const SEVERITY_MARKS = {
	CRITICAL: "🔴",
	MAJOR: "🟠",
	MINOR: "🟡",
	INFO: "🔵"
};
const SEVERITY_NAMES = {
	CRITICAL: "Critical",
	MAJOR: "Major",
	MINOR: "Minor",
	INFO: "Info"
};
const STANDING_WORDS = {
	active: "active",
	known: "known, so it does not count",
	ignored: "closed in the service",
	waived: "waived"
};
function novelty({ isNew }) {
	if (isNew === void 0) return "";
	return isNew ? "new" : "also on the base branch";
}
const SOURCES = {
	sent: "sent",
	reused: "reused",
	awaited: "sent by an earlier run",
	"not-sent": "not submitted"
};
function provenance({ source, sourceReason, analysedAt, retries }) {
	const since = source === "reused" && analysedAt ? ` since ${day(analysedAt)}` : "";
	const why = sourceReason ? `: ${sourceReason}${since}` : "";
	return SOURCES[source] + why + (retries > 0 ? `, tried again ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(retries, "time")}` : "");
}
function version({ versionNumber, versionCount }) {
	if (versionNumber === void 0) return "";
	return versionCount === void 0 ? `${versionNumber}` : `${versionNumber} of ${versionCount}`;
}
function kind(asset) {
	return asset.category ?? asset.mime;
}
function cost(report) {
	const from = (wanted) => report.assets.filter(({ source }) => source === wanted);
	const assets = from("sent").length;
	const files = countFiles(from("sent"));
	const sent = `sent${report.mode === "sandbox" ? " to the sandbox" : ""}`;
	const awaited = countFiles(from("awaited"));
	return [
		files === assets ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(files)} ${sent}` : `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(files, "file")} ${sent} as ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(assets, "asset")}`,
		`${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(report.counts.filesReused)} reused`,
		...awaited > 0 ? [`${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(awaited)} sent by an earlier run`] : []
	].join(", ");
}
function cleanFiles(mode, files) {
	return `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(files, "file")} ${mode === "sandbox" ? "not analysed" : "without any issue"}`;
}
function consequence({ verdict, green, mode, counts, lastKnown }) {
	switch (verdict) {
		case "fail": return "The check is red. Where it is required, this change cannot be merged.";
		case "error":
			if (green) return "The check is green only because an outage is forgiven here. Nothing says that these files are fine.";
			return counts.filesMatched === 0 ? "The check is red, and no file was looked at." : "The check is red: nobody can say that all of these files are fine.";
		case "skipped": return `The check is green, but ${counts.filesMatched === 0 ? "no file was looked at" : "these files have not been checked"}. Do not take it for a clearance.`;
		case "pass":
			if (mode === "sandbox") return "The check is green, but a sandbox analyses nothing. Do not take it for a clearance.";
			if (lastKnown) return "The check is green by what was known last: the service could not be asked today.";
			return counts.issues === 0 ? "The check is green. Nothing has to be done." : "The check is green. Nothing has to be done, but the issues below are worth a look.";
	}
}
function threshold(report) {
	const { failOnSeverity, failOnIssues } = report.policy;
	if (failOnSeverity === "never") return "This gate only reports: no issue turns the check red.";
	return `This gate turns red on any ${failOnIssues === "new" ? "new issue" : "issue"} that is ${failOnSeverity === "CRITICAL" ? "CRITICAL" : `${failOnSeverity} or worse`}.`;
}
function receipt({ assets, counts, mode, verdict, green }) {
	const fresh = assets.filter(({ source }) => source === "sent" || source === "awaited");
	const analysed = mode === "sandbox" ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(fresh.length)} sent to the sandbox` : `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(fresh.filter(({ outcome }) => outcome === "judged").length)} analysed`;
	const reused = assets.filter(({ source }) => source === "reused").length;
	const forgiven = verdict === "error" && green ? ", green by `on-service-error: warn`" : "";
	return `${analysed}, ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(reused)} reused, ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.paidAgain)} paid twice, verdict ${verdict}${forgiven}`;
}
// src/report/headline.ts
function headline(told) {
	switch (told.verdict) {
		case "fail": return failing(told) + fromMemory(told);
		case "error": return troubled(told) + (told.green ? " (green because of `on-service-error: warn`)" : "");
		case "skipped": return told.causes[0]?.message ?? "nothing was checked";
		case "pass": return passed(told) + fromMemory(told);
	}
}
function failing({ assets, counts }) {
	const failingIssues = assets.flatMap(({ issues }) => issues).filter(({ failsGate }) => failsGate);
	const bySeverity = _main_js__WEBPACK_IMPORTED_MODULE_0__.m.map((severity) => ({
		severity,
		number: failingIssues.filter((issue) => issue.severity === severity).length
	})).filter(({ number }) => number > 0).map(({ severity, number }) => `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(number)} ${severity}`);
	const files = countFiles(assets.filter(({ issues }) => issues.some(({ failsGate }) => failsGate)));
	const unjudged = countFiles(assets.filter(({ outcome }) => outcome !== "judged"));
	const also = unjudged > 0 ? `; ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(unjudged, "file")} could not be judged at all` : "";
	return `${bySeverity.join(", ")} ${counts.failing === 1 ? "issue" : "issues"} in ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(files)} of ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(counts.filesMatched, "file")}${also}`;
}
function troubled({ causes, assets }) {
	const [first] = causes;
	if (!first) return "something could not be judged";
	if (causes.length === 1) return sentence$1(first);
	const blamed = new Set(causes.map(({ path }) => path));
	if (!blamed.has(void 0) && blamed.size > 1) {
		const copies = assets.map(({ paths }) => paths).filter((paths) => paths.some((path) => blamed.has(path)));
		return `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(blamed.union(new Set(copies.flat())).size)} files could not be judged`;
	}
	return `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(causes.length)} problems, the first: ${sentence$1(first)}`;
}
function sentence$1({ path, message }) {
	return path === void 0 ? message : `${path}: ${message}`;
}
function passed({ counts, mode }) {
	const files = (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(counts.filesMatched, "file");
	if (mode === "sandbox") return `${files} went through the sandbox: nothing was analysed`;
	if (counts.issues === 0) return `${files} checked, no active issues${accepted(counts)}`;
	return `${files} checked, ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(counts.issues, "active issue")}, none that stops the check${accepted(counts)}`;
}
function accepted({ waived, known }) {
	return [...waived > 0 ? [`; ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(waived, "issue")} waived`] : [], ...known > 0 ? [`; ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(known, "issue")} known from the base branch`] : []].join("");
}
function fromMemory({ lastKnown }) {
	return lastKnown ? `, as known on ${day(lastKnown.since)}: the service did not answer today` : "";
}
const MAX_NAMED = 3;
function failingFiles({ assets }) {
	const paths = assets.filter(({ issues }) => issues.some(({ failsGate }) => failsGate)).flatMap((asset) => asset.paths);
	const named = paths.slice(0, MAX_NAMED).map((path) => `\`${path}\``);
	const more = paths.length - named.length;
	return named.join(", ") + (more > 0 ? ` and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(more, "more file")}` : "");
}
function waive({ assets, waiversFile }) {
	if (waiversFile === void 0) return [];
	const failing = assets.flatMap(({ issues }) => issues).filter(({ failsGate }) => failsGate);
	const rules = [...new Set(failing.map(({ ruleCode }) => ruleCode))];
	const named = rules.slice(0, MAX_NAMED).map((rule) => `\`${rule}\``);
	const more = rules.length - named.length;
	return [`Accepted all the same? Whoever keeps \`${waiversFile}\` adds a waiver for ${named.join(", ")}${more > 0 ? ` and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(more, "more rule")}` : ""}. In a pull request the file of its base counts.`];
}
function nextSteps$2(told) {
	const fixes = [...new Set(told.causes.map(({ fix }) => fix))];
	const askAgain = told.lastKnown ? ["Re-run this job when the service is back: it then reads what was dismissed or re-opened, and sends nothing again."] : [];
	switch (told.verdict) {
		case "fail": return [
			`Change or replace ${failingFiles(told)} and push.${told.keepsState ? " Only changed files are sent and paid for again." : ""}`,
			`Not a problem after all? Dismiss the issue in the service, then re-run this job${told.keepsState ? ": nothing is sent again, so it costs nothing" : ""}.`,
			...waive(told),
			...askAgain,
			...fixes
		];
		case "error": return told.causes.length > 1 ? ["Each row of the table below says what to do. Then push, or re-run the job."] : fixes;
		case "skipped": return fixes;
		case "pass": return told.mode === "sandbox" ? ["Use a live key (`sk_live_…`) where the check has to mean something."] : askAgain;
	}
}
// src/report/build.ts
const STRICT = {
	name: "media-compliance",
	failOnSeverity: "CRITICAL",
	failOnIssues: "all",
	ignoreStatuses: [],
	onServiceError: "error"
};
const WAS_PAID_FOR = new Set([
	"analysed too long ago",
	"gone from the service",
	"failed before",
	"never finished"
]);
function buildReport(trail, context, now) {
	const rules = trail.inputs ?? STRICT;
	const assets = reportedAssets(trail, now);
	const counts = countsOf(assets, trail);
	const causes = allCauses(trail, assets);
	const { skipped, wasStopped } = trail;
	const verdict = decide({
		failing: counts.failing,
		causes,
		skipped,
		wasStopped,
		onServiceError: rules.onServiceError
	});
	const lastKnown = trail.outage && trail.plan && (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.n)(trail.outage, trail.plan);
	const told = {
		verdict: verdict.name,
		reason: verdict.reason,
		green: verdict.green,
		mode: trail.inputs?.service?.mode ?? "",
		...lastKnown && { lastKnown },
		causes: [...verdict.green ? causes.map(forgiven) : causes, ...skipped ? [skipped] : []],
		counts,
		assets
	};
	const sentences = {
		...told,
		keepsState: trail.stateFile !== "",
		waiversFile: trail.inputs?.waiversFile
	};
	const { failOnSeverity, failOnIssues, ignoreStatuses } = rules;
	const { repository, commit, ref, event, runUrl } = context;
	return {
		gate: rules.name,
		judgedAt: now.toISOString(),
		...told,
		headline: headline(sentences),
		nextSteps: nextSteps$2(sentences),
		notices: [...trail.notices, ...trail.waivers?.notices(assets) ?? []],
		policy: {
			failOnSeverity,
			failOnIssues,
			ignoreStatuses
		},
		submission: submissionOf(trail),
		...context.docsUrl !== void 0 && { docs: context.docsUrl },
		run: {
			repository,
			commit,
			ref,
			event,
			url: runUrl
		},
		highestSeverity: _main_js__WEBPACK_IMPORTED_MODULE_0__.m.find((severity) => counts.bySeverity[severity] > 0) ?? ""
	};
}
function allCauses({ stoppedBy, waited, reused, analysed, skipped }, assets) {
	const interruptions = waited.map(({ interruptedBy }) => interruptedBy).filter((cause) => cause !== void 0);
	const causes = [
		...stoppedBy,
		...interruptions,
		...[...reused, ...analysed].flatMap((result) => result.causes)
	];
	if (causes.length > 0 || skipped) return causes;
	return assets.filter(({ outcome }) => outcome !== "judged").map(unexplained);
}
function forgiven(cause) {
	return {
		...cause,
		fix: cause.fix.replace(_main_js__WEBPACK_IMPORTED_MODULE_0__.s, "Until then, these files have not been judged.")
	};
}
function unexplained({ paths }) {
	const [path] = paths;
	return {
		reason: "results",
		message: "The file was not judged, and nothing says why.",
		fix: "Re-run the job; if it stays, please report it: this is a defect of the action.",
		...path !== void 0 && { path }
	};
}
function submissionOf({ submission, waited, plan, skipped }) {
	const id = submission?.submissionId ?? plan?.await[0]?.submissionId ?? "";
	const status = waited.find((each) => each.submission.submissionId === id)?.status ?? "";
	return {
		id,
		status: !skipped && plan && plan.submit.length === 0 && plan.await.length === 0 && plan.reuse.length > 0 ? "reused" : status
	};
}
function countsOf(assets, trail) {
	const bySeverity = {
		CRITICAL: 0,
		MAJOR: 0,
		MINOR: 0,
		INFO: 0
	};
	const counts = {
		issues: 0,
		newIssues: 0,
		known: 0,
		waived: 0,
		ignored: 0,
		failing: 0
	};
	for (const issue of assets.flatMap((asset) => asset.issues)) {
		if (issue.failsGate) counts.failing += 1;
		if (issue.standing !== "active") {
			counts[issue.standing] += 1;
			continue;
		}
		counts.issues += 1;
		bySeverity[issue.severity] += 1;
		if (issue.isNew !== false) counts.newIssues += 1;
	}
	return {
		...counts,
		bySeverity,
		filesMatched: trail.discovery?.files.length ?? 0,
		filesSubmitted: countFiles(assets.filter(({ source }) => source === "sent")),
		filesReused: countFiles(assets.filter(({ source }) => source === "reused")),
		paidAgain: trail.submission ? trail.plan?.submit.filter(({ why }) => WAS_PAID_FOR.has(why)).length ?? 0 : 0,
		assetsFailed: assets.filter(({ outcome }) => outcome === "failed").length
	};
}
// src/publish/outputs.ts
const NO_FILES = {
	reportDir: "",
	sarifFile: "",
	stateFile: ""
};
function outputs(report, files) {
	const { counts } = report;
	return {
		verdict: report.verdict,
		reason: report.reason,
		mode: report.mode,
		"submission-id": report.submission.id,
		"submission-status": report.submission.status,
		"issue-count": String(counts.issues),
		"critical-count": String(counts.bySeverity.CRITICAL),
		"major-count": String(counts.bySeverity.MAJOR),
		"minor-count": String(counts.bySeverity.MINOR),
		"info-count": String(counts.bySeverity.INFO),
		"new-issue-count": String(counts.newIssues),
		"highest-severity": report.highestSeverity,
		"files-matched": String(counts.filesMatched),
		"files-submitted": String(counts.filesSubmitted),
		"files-reused": String(counts.filesReused),
		"assets-failed": String(counts.assetsFailed),
		"report-dir": files.reportDir,
		"sarif-file": files.sarifFile,
		"state-file": files.stateFile
	};
}
// src/report/order.ts
const STANDINGS = [
	"active",
	"known",
	"waived",
	"ignored"
];
const RANKS = 2 * STANDINGS.length * _main_js__WEBPACK_IMPORTED_MODULE_0__.m.length;
function rank(issue) {
	const place = STANDINGS.indexOf(issue.standing) * _main_js__WEBPACK_IMPORTED_MODULE_0__.m.length + (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.h)(issue.severity);
	return issue.failsGate ? place : place + RANKS / 2;
}
function worstFirst(report) {
	const buckets = Array.from({ length: RANKS }, () => []);
	for (const asset of report.assets) {
		const topics = topicsByIssue(asset);
		for (const issue of asset.issues) buckets[rank(issue)]?.push({
			asset,
			issue,
			topics: topics.get(issue.id) ?? []
		});
	}
	return buckets.flat();
}
function topicsByIssue(asset) {
	const titles = new Map();
	for (const { title, issueIds } of asset.topics) for (const id of issueIds) {
		const known = titles.get(id);
		if (known) known.push(title);
		else titles.set(id, [title]);
	}
	return titles;
}
// src/report/truncate.ts
function truncate(text, most) {
	if (text.length <= most) return text;
	const end = Math.max(0, most - 1);
	const last = text.charCodeAt(end - 1);
	const isHighSurrogate = last >= 55296 && last <= 56319;
	return `${text.slice(0, isHighSurrogate ? end - 1 : end)}…`;
}
// src/report/annotations.ts
const MAX_PER_LEVEL = 10;
const MAX_MESSAGE_LENGTH = 4096;
const MAX_TITLE_LENGTH = 200;
const MAX_LIST_LENGTH = 1e3;
const MAX_PATHS$4 = 50;
const LEVELS$1 = [
	"error",
	"warning",
	"notice"
];
function annotations(report, spent = {
	error: 0,
	warning: 0,
	notice: 0
}) {
	const wanted = {
		error: [],
		warning: [],
		notice: []
	};
	const [failing, others] = partition(worstFirst(report));
	const [worst, ...lesser] = failing.map((entry) => ({ entry }));
	const [first, ...further] = report.causes.map((cause) => ({ cause }));
	const ofCauses = wanted[report.green ? "warning" : "error"];
	if (worst) wanted.error.push(worst);
	if (first) ofCauses.push(first);
	wanted.error.push(...lesser);
	ofCauses.push(...further);
	for (const entry of others) wanted[entry.issue.severity === "INFO" ? "notice" : "warning"].push({ entry });
	return LEVELS$1.flatMap((level) => {
		const failingLine = level === "error" && !report.green ? 1 : 0;
		const room = Math.max(0, MAX_PER_LEVEL - failingLine - spent[level]);
		return fit(report, level, wanted[level], room);
	});
}
function partition(listed) {
	const active = listed.filter(({ issue }) => issue.standing === "active");
	return [active.filter(({ issue }) => issue.failsGate), active.filter(({ issue }) => !issue.failsGate)];
}
function fit(report, level, planned, room) {
	const render = (one) => "cause" in one ? causeAnnotation(level, one.cause, report) : issueAnnotation(level, one.entry);
	if (room === 0 || planned.length <= room) return planned.slice(0, room).map(render);
	const left = planned.length - (room - 1);
	const where = report.fullReport ?? "the report files of this run";
	return [...planned.slice(0, room - 1).map(render), {
		level,
		title: `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(left)} more`,
		message: message([`${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(left)} more of this level are not shown here: GitHub shows at most ${MAX_PER_LEVEL} for a step.`, `All of them are in the summary of this run and in the full report: ${where}.`])
	}];
}
function causeAnnotation(level, cause, { verdict }) {
	return {
		level,
		title: `${verdict === "skipped" ? "Not checked" : "Not judged"}: ${cause.reason}`,
		message: message([cause.message, cause.fix]),
		...cause.path === void 0 ? {} : {
			path: cause.path,
			line: 1
		}
	};
}
function issueAnnotation(level, { asset, issue }) {
	const [path, ...others] = asset.paths;
	const reference = issue.referenceNumber === void 0 ? "" : `#${issue.referenceNumber}: `;
	return {
		level,
		title: truncate((0,_main_js__WEBPACK_IMPORTED_MODULE_0__.E)(`${issue.severity} ${truncate(issue.ruleCode, MAX_TITLE_LENGTH)}`), MAX_TITLE_LENGTH),
		message: message([
			`${reference}${truncate(issue.summary, MAX_MESSAGE_LENGTH)}`,
			issue.headline ?? "",
			others.length > 0 ? alsoIn(others) : "",
			issue.url ?? "",
			issue.reasoning ?? ""
		]),
		...path === void 0 ? {} : {
			path,
			line: 1
		}
	};
}
function alsoIn(paths) {
	const named = truncate(paths.slice(0, MAX_PATHS$4).join(", "), MAX_LIST_LENGTH);
	return `The same bytes are also in ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(paths.length, "other file")}: ${named}`;
}
function message(parts) {
	const text = parts.filter((part) => part !== "").map((part) => truncate(part, MAX_MESSAGE_LENGTH));
	return truncate((0,_main_js__WEBPACK_IMPORTED_MODULE_0__.E)(text.join("\n")), MAX_MESSAGE_LENGTH);
}
// src/report/cleared.ts
function isCleared(report, asset) {
	if (report.mode !== "live" || report.verdict === "skipped") return false;
	return asset.outcome === "judged" && !asset.issues.some((issue) => issue.failsGate);
}
function clearedFiles(report) {
	return report.assets.filter((asset) => isCleared(report, asset)).flatMap((asset) => asset.paths.map((path) => ({
		path,
		asset
	}))).toSorted((one, other) => one.path < other.path ? -1 : 1);
}
function renderCleared(report) {
	return clearedFiles(report).map(({ path, asset }) => checksumLine(asset.sha256, path)).join("");
}
const CHECKSUM_ESCAPES = {
	"\\": "\\\\",
	"\n": "\\n",
	"\r": "\\r"
};
function checksumLine(sha256, path) {
	const name = path.replace(/[\\\n\r]/g, (character) => CHECKSUM_ESCAPES[character] ?? character);
	return `${name === path ? "" : "\\"}${sha256}  ${name}\n`;
}
function renderPredicate(report) {
	const files = clearedFiles(report);
	return `${JSON.stringify({
		schemaVersion: 1,
		verifier: {
			name: "Media Compliance Gate",
			gate: report.gate
		},
		timeVerified: report.judgedAt,
		verdict: report.verdict,
		reason: report.reason,
		mode: report.mode,
		statuses: report.lastKnown ? "last known" : "read",
		policy: report.policy,
		source: {
			repository: report.run.repository,
			commit: report.run.commit,
			ref: report.run.ref,
			run: report.run.url
		},
		counts: {
			filesMatched: report.counts.filesMatched,
			filesCleared: files.length
		},
		cleared: files.map(({ path, asset }) => ({
			name: path,
			digest: { sha256: asset.sha256 },
			analysedAt: asset.analysedAt ?? null,
			submissionId: asset.submissionId ?? null,
			assetId: asset.assetId ?? null,
			versionNumber: asset.versionNumber ?? null,
			activeIssues: Object.fromEntries(_main_js__WEBPACK_IMPORTED_MODULE_0__.m.map((severity) => [severity, asset.issues.filter((issue) => issue.standing === "active" && issue.severity === severity).length])),
			waivers: asset.issues.flatMap(({ waiver, ruleCode }) => waiver ? [{
				ruleCode,
				...waiver
			}] : [])
		}))
	}, void 0, 1)}\n`;
}
// src/report/causes.ts
function tabledCauses({ causes, verdict }) {
	return causes.length > 1 || verdict === "fail" ? causes : [];
}
function causesTitle({ counts }) {
	return counts.filesMatched === 0 ? "What is wrong" : "What could not be judged";
}
// src/report/html-media.ts
const SHOWABLE = new Set([
	"image/png",
	"image/jpeg",
	"image/gif",
	"image/webp",
	"image/avif",
	"image/bmp",
	"image/svg+xml",
	"video/mp4",
	"video/webm",
	"video/ogg",
	"audio/mpeg",
	"audio/mp4",
	"audio/wav",
	"audio/x-wav",
	"audio/vnd.wave",
	"audio/ogg",
	"audio/flac",
	"audio/aac",
	"audio/webm"
]);
const BUDGET = {
	each: 16e6,
	total: 48e6
};
function mediaToEmbed(assets, budget = BUDGET) {
	const chosen = [];
	let left = budget.total;
	for (const asset of assets) {
		const [path] = asset.paths;
		const hasOrHadIssues = asset.issues.length > 0 || (asset.fixed ?? []).length > 0;
		if (path === void 0 || !hasOrHadIssues || !SHOWABLE.has(asset.mime)) continue;
		if (asset.size > budget.each || asset.size > left) continue;
		left -= asset.size;
		chosen.push(path);
	}
	return chosen;
}
function dataUrl({ mime, base64 }) {
	return SHOWABLE.has(mime) && /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? `data:${mime};base64,${base64}` : void 0;
}
// src/report/link.ts
function link(url, inner) {
	const href = url === void 0 ? void 0 : (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.T)(url);
	return href === void 0 ? inner : `<a href="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.b)(href)}">${inner}</a>`;
}
function moreAbout({ reason, docs }) {
	if (reason === "" || docs === void 0) return "";
	return `More about <code>${reason}</code>: ${link(`${docs}/troubleshooting.md#${reason}`, "troubleshooting")}.`;
}
// src/report/html-files.ts
const MAX_TEXT_LENGTH$3 = 2e4;
const MAX_PRECEDENTS$1 = 50;
const MAX_PATHS$3 = 50;
const MAX_TOPICS$1 = 5;
const MAX_FIXED = 500;
const text$1 = (value, most = MAX_TEXT_LENGTH$3) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.b)(truncate(value, most));
function fileSection(file, index) {
	const { asset, issues } = file;
	const figure = mediaFigure(asset, file.media);
	const hidden = asset.issues.length - issues.length;
	const now = [
		`<h3>${asset.fixed === void 0 ? "Found" : "Found in this version"}</h3>`,
		...issues.map((issue) => issueBlock(issue, file.topics.get(issue.id) ?? [])),
		issues.length === 0 && hidden === 0 ? `<p class="soft">${nothingFound(asset)}</p>` : "",
		hidden > 0 ? `<p class="soft">${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(hidden, "less severe issue")} only in report.json</p>` : ""
	];
	const before = asset.fixed === void 0 ? "" : fixedColumn(asset.fixed);
	const [first = "", ...others] = asset.paths.slice(0, MAX_PATHS$3);
	const more = asset.paths.length - MAX_PATHS$3;
	const same = others.length > 0 ? `<p class="soft">Same bytes in ${others.map((path) => `<code>${text$1(path, 500)}</code>`).join(", ")}${more > 0 ? ` and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(more)} more` : ""}</p>` : "";
	return `<section class="card file" aria-labelledby="file-${index}" data-file="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.b)(truncate(asset.paths.join("\n"), 5e3).toLowerCase())}">
<div class="head"><h2 id="file-${index}"><code>${text$1(first, 500)}</code></h2>${mark(asset)}<span class="soft">${text$1(facts$2(asset), 500)}</span></div>${same}
<div class="beside${figure === "" ? "" : " media"}">${figure}<div class="versions${before === "" ? "" : " both"}"><div class="column">${now.join("")}</div>${before}</div></div>
</section>`;
}
function nothingFound(asset) {
	if (asset.outcome === "failed") return "The analysis failed: nothing is known about this file.";
	return asset.outcome === "judged" ? "No issue." : "Not judged: nothing is known about this file.";
}
function mark(asset) {
	const failing = asset.issues.filter((issue) => issue.failsGate).length;
	if (failing > 0) return `<span class="tag stop">${stopping(failing)}</span>`;
	return asset.outcome === "judged" ? "" : "<span class=\"tag stop\">not judged</span>";
}
function facts$2(asset) {
	const which = version(asset);
	return `${kind(asset)}, ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.d)(asset.size)}${which === "" ? "" : `, version ${which}`}; ${provenance(asset)}`;
}
function mediaFigure(asset, media) {
	const url = media === void 0 ? void 0 : dataUrl(media);
	if (url === void 0 || media === void 0) return "";
	const name = text$1(asset.paths[0] ?? "", 300);
	const caption = `<figcaption>${text$1(media.mime, 60)}, as it was checked</figcaption>`;
	if (media.mime.startsWith("image/")) return `<figure><img src="${url}" alt="The checked image ${name}">${caption}</figure>`;
	const tag = media.mime.startsWith("video/") ? "video" : "audio";
	return `<figure><${tag} controls preload="metadata" aria-label="The checked ${tag} ${name}" src="${url}"></${tag}>${caption}</figure>`;
}
function badge(issue) {
	return `<span class="badge ${issue.severity}">${issue.severity}</span>`;
}
function issueLine$1(issue, url) {
	const number = issue.referenceNumber === void 0 ? "" : link(url, `#${issue.referenceNumber}`);
	const told = issue.severity === issue.reportedSeverity ? "" : `<span class="tag">told as ${text$1(issue.reportedSeverity, 40)}</span>`;
	return `${badge(issue)}${told}<h4>${text$1(issue.headline || issue.summary, 300)}</h4>${number}<code>${text$1(issue.ruleCode, 200)}</code>`;
}
function issueBlock(issue, topics) {
	const age = novelty(issue);
	const { waiver } = issue;
	const tags = [
		issue.failsGate ? "<span class=\"tag stop\">stops the check</span>" : `<span class="tag">${STANDING_WORDS[issue.standing]}</span>`,
		`<span class="tag">${text$1(issue.status, 80)}</span>`,
		age === "" ? "" : `<span class="tag">${age}</span>`
	];
	const extra = [
		waiver ? `<p class="soft">Waived by ${text$1(waiver.owner, 100)} until ${text$1(waiver.expires, 40)}: ${text$1(waiver.reason, 1e3)}</p>` : "",
		topicLine(topics),
		why(issue)
	];
	return `<article class="issue" data-issue data-severity="${issue.severity}" data-status="${text$1(issue.status, 80)}" data-standing="${issue.standing}" data-age="${age}" data-version="this">
<div class="line">${issueLine$1(issue, issue.url)}${tags.join("")}</div><p class="text">${text$1(issue.summary)}</p>${extra.join("")}</article>`;
}
function topicLine(titles) {
	if (titles.length === 0) return "";
	const shown = titles.slice(0, MAX_TOPICS$1).map((title) => text$1(title, 200));
	const more = andMore(titles.length - shown.length, "topic", (words) => `; ${words}`);
	return `<p class="soft">Topic: ${shown.join("; ")}${more}</p>`;
}
function why(issue) {
	const precedents = issue.precedents.slice(0, MAX_PRECEDENTS$1).map((one) => `<li>${link(one.url, text$1(one.title || one.url || "untitled", 300))}: ${text$1(one.decision, 1e3)}${one.date ? ` (${text$1(day(one.date), 40)})` : ""}</li>`);
	if (!issue.reasoning && precedents.length === 0) return "";
	const reasoning = issue.reasoning ? `<p class="text">${text$1(issue.reasoning)}</p>` : "";
	const more = andMore(issue.precedents.length - precedents.length, "precedent", (words) => `<li>${words}</li>`);
	const list = precedents.length > 0 ? `<p>Precedents</p><ul>${precedents.join("")}${more}</ul>` : "";
	return `<details${issue.failsGate ? " open" : ""}><summary>Why ${issue.severity}</summary><div>${reasoning}${list}</div></details>`;
}
function fixedColumn(fixed) {
	const items = fixed.slice(0, MAX_FIXED).map((issue) => `<article class="issue" data-issue data-severity="${issue.severity}" data-status="" data-standing="" data-age="" data-version="before"><div class="line">${issueLine$1(issue, void 0)}<span class="tag fixed">fixed since the version before</span></div></article>`);
	const more = andMore(fixed.length - items.length, "fixed issue", (words) => `<p class="soft">${words}</p>`);
	const nothing = items.length === 0 ? "<p class=\"soft\">Nothing was fixed.</p>" : "";
	return `<div class="column"><h3>In the version before, fixed since</h3>${items.join("")}${nothing}${more}</div>`;
}
// src/report/html-script.ts
const SCRIPT = `
'use strict';
const form = document.getElementById('filters');
const told = document.getElementById('told');
const issues = [...document.querySelectorAll('[data-issue]')].map((element) => ({ element, file: element.closest('[data-file]'), is: element.dataset }));
const files = [...document.querySelectorAll('[data-file]')];
function apply() {
  const wanted = new FormData(form);
  const severities = new Set(wanted.getAll('severity'));
  const status = wanted.get('status');
  const standing = wanted.get('standing');
  const age = wanted.get('age');
  const version = wanted.get('version');
  const name = (wanted.get('file') ?? '').trim().toLowerCase();
  const everything = severities.size === 4 && !status && !standing && !age && !version;
  const open = new Set();
  let shown = 0;
  let total = 0;
  for (const { element, file, is } of issues) {
    const matches = severities.has(is.severity) && (!status || is.status === status) && (!standing || is.standing === standing) &&
      (!age || is.age === age) && (!version || is.version === version) && (!name || file.dataset.file.includes(name));
    element.hidden = !matches;
    if (is.version === 'this') { total += 1; if (matches) shown += 1; }
    if (matches) open.add(file);
  }
  for (const file of files) file.hidden = !(open.has(file) || (everything && (!name || file.dataset.file.includes(name))));
  told.textContent = shown + ' of ' + total + ' issues shown';
}
if (form) {
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.querySelector('button').addEventListener('click', () => { form.reset(); apply(); });
  form.closest('section').hidden = false;
  apply();
}
let closed = [];
addEventListener('beforeprint', () => { closed = [...document.querySelectorAll('details:not([open])')]; for (const one of closed) one.open = true; });
addEventListener('afterprint', () => { for (const one of closed) one.open = false; });
`;
// src/report/html-style.ts
const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --ink: #1c2330; --soft: #545d6b; --line: #d5dae1; --link: #0a58b8;
  --critical: #b3131f; --major: #9a4400; --minor: #6d5600; --info: #1257a8; --good: #14693a; --bad: #b3131f; --none: #545d6b;
  --critical-fill: #d1242f; --major-fill: #e0701a; --minor-fill: #d9ad18; --info-fill: #3b82d6; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1319; --card: #181d25; --ink: #e8ebf0; --soft: #a5afbd; --line: #343c48; --link: #7db4ff;
  --critical: #ff8a8f; --major: #ffab66; --minor: #ecc94b; --info: #86b9ff; --good: #6cd694; --bad: #ff8a8f; --none: #a5afbd; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); } code { font: .875em ui-monospace, "SF Mono", Consolas, "Liberation Mono", monospace; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure { margin: 0; } ul, ol { padding-left: 1.4em; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { font-size: 1.15rem; } h2 code { font-size: 1.05rem; } h3 { font-size: 1rem; } h4 { font-size: 1rem; font-weight: 600; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
header, main, footer { max-width: 1180px; margin: 0 auto; padding: 1.25rem; } main { padding-top: 0; display: grid; gap: 1.25rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem; display: grid; gap: .75rem; align-content: start; min-width: 0; }
.verdict { border-left: 10px solid var(--none); } .verdict.good { border-left-color: var(--good); } .verdict.bad { border-left-color: var(--bad); } .verdict.warn { border-left-color: var(--major); }
.stamp { font-weight: 700; letter-spacing: .06em; font-size: .95rem; color: var(--none); } .good .stamp { color: var(--good); } .bad .stamp { color: var(--bad); } .warn .stamp { color: var(--major); }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; } .facts div { display: flex; flex-direction: column; } .facts dt { color: var(--soft); font-size: .875rem; } .facts dd { font-weight: 600; }
.two { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
.bars { display: grid; grid-template-columns: max-content 1fr max-content; gap: .4rem .75rem; align-items: center; } .bars svg { width: 100%; height: 14px; display: block; }
.fill-CRITICAL { fill: var(--critical-fill); } .fill-MAJOR { fill: var(--major-fill); } .fill-MINOR { fill: var(--minor-fill); } .fill-INFO { fill: var(--info-fill); }
.badge { font-weight: 700; font-size: .8rem; border: 1.5px solid currentColor; border-radius: 5px; padding: 0 .4em; white-space: nowrap; }
.CRITICAL { color: var(--critical); } .MAJOR { color: var(--major); } .MINOR { color: var(--minor); } .INFO { color: var(--info); }
.tag { font-size: .8rem; border-radius: 5px; padding: .05em .45em; border: 1px solid var(--line); color: var(--soft); white-space: nowrap; } .tag.stop { color: var(--bad); border-color: currentColor; } .tag.fixed { color: var(--good); border-color: currentColor; }
form { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: end; } fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; min-width: 0; } legend, .field { color: var(--soft); font-size: .875rem; }
.field { display: grid; gap: .15rem; } label.check { display: inline-flex; gap: .35rem; align-items: center; min-height: 28px; }
input[type=search], select, button { font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--soft); border-radius: 6px; padding: .25rem .5rem; min-height: 34px; max-width: 100%; }
.many > .file { content-visibility: auto; contain-intrinsic-size: auto 500px; } .file > .head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; } .soft { color: var(--soft); font-size: .9rem; }
.beside { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); } @media (min-width: 860px) { .beside.media { grid-template-columns: minmax(0, 320px) minmax(0, 1fr); } .versions.both { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); } }
.versions { display: grid; gap: 1.25rem; align-content: start; } .column { display: grid; gap: .75rem; align-content: start; }
figure img, figure video { max-width: 100%; max-height: 420px; border-radius: 6px; border: 1px solid var(--line); background: var(--page); display: block; } figure audio { width: 100%; } figcaption { color: var(--soft); font-size: .85rem; }
.issue { border-top: 1px solid var(--line); padding-top: .75rem; display: grid; gap: .4rem; } .line { display: flex; flex-wrap: wrap; gap: .3rem .5rem; align-items: center; }
.text { white-space: pre-line; max-width: 75ch; } details > summary { cursor: pointer; color: var(--link); width: fit-content; min-height: 24px; } details[open] > :not(summary) { margin-top: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { text-align: left; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } .scroll { overflow-x: auto; }
[hidden] { display: none !important; }
@media print { :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --link: #000; --critical: #b3131f; --major: #9a4400; --minor: #6d5600; --info: #1257a8; --good: #14693a; --bad: #b3131f; }
  .filters, .skip, figure audio { display: none; } .card { border: 0; padding: .5rem 0; } .many > .file { content-visibility: visible; } .issue { break-inside: avoid; } .fill-CRITICAL, .fill-MAJOR, .fill-MINOR, .fill-INFO { print-color-adjust: exact; } }
`;
// src/report/summary-issues.ts
const MAX_LINE_LENGTH = 200;
const MAX_TEXT_LENGTH$2 = 4e3;
const MAX_PRECEDENTS = 10;
const MAX_PATHS$2 = 5;
const MAX_TOPICS = 3;
function pathCode(path) {
	return `<code>${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(path, MAX_LINE_LENGTH))}</code>`;
}
function pathsShort(asset) {
	const [first = "", ...others] = asset.paths;
	return pathCode(first) + (others.length > 0 ? ` and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(others.length)} more` : "");
}
function issueLine({ asset, issue }) {
	return `${issueName(issue, issue.url)} in ${pathsShort(asset)}`;
}
function issueName(issue, url) {
	const told = issue.severity === issue.reportedSeverity ? "" : ` (told as ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(issue.reportedSeverity, 40))})`;
	const number = issue.referenceNumber === void 0 ? "" : ` ${link(url, `#&#8203;${issue.referenceNumber}`)}`;
	const rule = `<code>${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(issue.ruleCode, 80))}</code>`;
	const words = (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(issue.headline || issue.summary, MAX_LINE_LENGTH));
	return `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${told} ${rule}${number} ${words}`;
}
function issueDetails(entry, isOpen) {
	const { issue } = entry;
	const body = [
		`<p>${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.C)(truncate(issue.summary, MAX_TEXT_LENGTH$2))}</p>`,
		issue.reasoning ? `<p><b>Why ${issue.severity}:</b> ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.C)(truncate(issue.reasoning, MAX_TEXT_LENGTH$2))}</p>` : "",
		precedents(issue.precedents),
		`<p>${facts$1(entry).join("<br>")}</p>`
	].filter((part) => part !== "").join("");
	return `<details${isOpen ? " open" : ""}><summary>${issueLine(entry)}</summary><blockquote>${body}</blockquote></details>`;
}
function facts$1({ asset, issue, topics }) {
	const shown = asset.paths.slice(0, MAX_PATHS$2).map(pathCode).join(", ");
	const hidden = asset.paths.length - MAX_PATHS$2;
	const { waiver } = issue;
	return [
		`<b>${asset.paths.length === 1 ? "File" : "Files, all with the same bytes"}:</b> ${shown}${hidden > 0 ? ` and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(hidden)} more` : ""}`,
		`<b>Status:</b> ${[(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(issue.status, 80)), novelty(issue)].filter(Boolean).join(", ")}; ${issue.failsGate ? "stops the check" : STANDING_WORDS[issue.standing]}`,
		waiver ? `<b>Waiver:</b> ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(waiver.reason, 500))} (${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(waiver.owner, 80))}, until ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(waiver.expires, 40))})` : "",
		topicFact(topics),
		issue.createdAt ? `<b>Found:</b> ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(day(issue.createdAt), 40))}` : ""
	].filter((fact) => fact !== "");
}
function topicFact(titles) {
	if (titles.length === 0) return "";
	const shown = titles.slice(0, MAX_TOPICS).map((title) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(title, 120)));
	return `<b>Topic:</b> ${shown.join("; ")}${andMore(titles.length - shown.length, "topic", (words) => `; ${words}`)}`;
}
function precedents(all) {
	if (all.length === 0) return "";
	const items = all.slice(0, MAX_PRECEDENTS).map((one) => {
		return `<li>${link(one.url, (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(one.title || one.url || "untitled", MAX_LINE_LENGTH)))}${one.decision ? `: ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(one.decision, 500))}` : ""}${one.date ? ` (${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(day(one.date), 40))})` : ""}</li>`;
	});
	const hidden = all.length - items.length;
	if (hidden > 0) items.push(`<li>and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(hidden)} more</li>`);
	return `<p><b>Precedents</b></p><ul>${items.join("")}</ul>`;
}
// src/report/summary-files.ts
const MAX_PATHS$1 = 4;
function isClean(asset) {
	return asset.outcome === "judged" && asset.issues.length === 0 && (asset.fixed ?? []).length === 0;
}
function fileMark(asset, mode) {
	if (asset.issues.some((issue) => issue.failsGate)) return "❌";
	if (asset.outcome !== "judged") return "⚠️";
	if (asset.issues.some((issue) => issue.standing === "active")) return "☑️";
	return mode === "sandbox" ? "🧪" : "✅";
}
function fileTable(assets, mode) {
	const columns = [
		{
			name: "File",
			cell: (asset) => `${fileMark(asset, mode)}&nbsp;${paths(asset)}`
		},
		{
			name: "Kind",
			cell: (asset) => `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(kind(asset), 60))}, ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.d)(asset.size).replace(" ", "&nbsp;")}`
		},
		{
			name: "Version",
			cell: version
		},
		{
			name: "Issues",
			cell: (asset) => issuesCell(asset) || (mode === "sandbox" ? "not analysed" : "none")
		},
		...COMPARISONS.filter(({ cell }) => assets.some((asset) => cell(asset) !== "")).map(({ name, cell }) => ({
			name,
			cell: (asset) => cell(asset) || "–"
		})),
		{
			name: "Analysis",
			cell: (asset) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(provenance(asset), 200))
		}
	];
	return {
		head: [`| ${columns.map(({ name }) => name).join(" | ")} |`, `|${" :-- |".repeat(columns.length)}`].join("\n"),
		row: (asset) => `| ${columns.map(({ cell }) => cell(asset)).join(" | ")} |`
	};
}
const COMPARISONS = [{
	name: "Against the base branch",
	cell: againstBase
}, {
	name: "Fixed since the version before",
	cell: ({ fixed = [] }) => fixed.length > 0 ? (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(fixed.length) : ""
}];
function paths(asset) {
	const hidden = asset.paths.length - MAX_PATHS$1;
	return asset.paths.slice(0, MAX_PATHS$1).map(pathCode).join("<br>") + (hidden > 0 ? `<br>and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(hidden)} more` : "");
}
function issuesCell(asset) {
	if (asset.outcome === "failed") return "analysis failed";
	const active = asset.issues.filter((issue) => issue.standing === "active");
	const told = _main_js__WEBPACK_IMPORTED_MODULE_0__.m.map((severity) => ({
		severity,
		number: active.filter((issue) => issue.severity === severity).length
	})).filter(({ number }) => number > 0).map(({ severity, number }) => `${SEVERITY_MARKS[severity]}&nbsp;${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(number)}&nbsp;${severity}`);
	return [
		...asset.outcome === "unjudged" ? ["not judged"] : [],
		...told,
		...apart(asset)
	].join("<br>");
}
function apart({ issues }) {
	const waived = issues.filter((issue) => issue.standing === "waived").length;
	const closed = issues.filter((issue) => issue.standing === "ignored").length;
	return [waived > 0 ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(waived)} waived` : "", closed > 0 ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(closed)} closed` : ""].filter((word) => word !== "");
}
function againstBase({ issues }) {
	const fresh = issues.filter((issue) => issue.isNew === true && issue.standing === "active").length;
	const both = issues.filter((issue) => issue.isNew === false).length;
	return [fresh > 0 ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(fresh)} new` : "", both > 0 ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(both)} also on the base branch` : ""].filter((part) => part !== "").join(", ");
}
// src/report/html.ts
const MAX_ISSUES$2 = 5e3;
const MAX_FILES = 5e3;
const MAX_CLEAN_FILES = 2e4;
const MAX_PATHS = 20;
const MAX_NOTICES = 200;
const MAX_STEPS$1 = 20;
const MANY_FILES = 100;
const text = (value, most = 2e3) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.b)(truncate(value, most));
const sentence = (value) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.x)(truncate(value, 2e3));
const hash = (source) => `'sha256-${(0,node_crypto__WEBPACK_IMPORTED_MODULE_3__.createHash)("sha256").update(source).digest("base64")}'`;
function renderHtml(report, media = new Map()) {
	const all = worstFirst(report);
	const notable = report.assets.filter((asset) => !isClean(asset));
	const shown = shownFiles(notable.slice(0, MAX_FILES), all.slice(0, MAX_ISSUES$2), media);
	const clean = report.assets.filter(isClean);
	const leftOut = [leftOutNote$1(all.length - MAX_ISSUES$2, "issue"), leftOutNote$1(countFiles(notable.slice(shown.length)), "file")];
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${`default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; img-src data:; media-src data:; base-uri 'none'; form-action 'none'`}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${text(title(report), 300)}</title><style>${STYLE}</style></head><body>
<a class="skip" href="#files">Skip to the files</a>
<header>${verdict(report)}</header>
<main>
<div class="two">${nextSteps$1(report)}${picture(report)}</div>
${causes(report)}
${filters(report, all)}
<div id="files" class="column${shown.length > MANY_FILES ? " many" : ""}" tabindex="-1">
${shown.map(fileSection).join("\n")}
</div>
${cleanList(clean, report.mode)}
${notices$1([...leftOut.filter((note) => note !== ""), ...report.notices])}
</main>
<footer class="soft">${footer$1(report)}</footer>
<script>${SCRIPT}<\/script></body></html>
`;
}
function shownFiles(assets, listed, media) {
	const issuesOf = new Map();
	const topicsOf = new Map();
	for (const { asset, issue, topics } of listed) {
		issuesOf.set(asset, issuesOf.get(asset) ?? []);
		issuesOf.get(asset)?.push(issue);
		topicsOf.set(asset, (topicsOf.get(asset) ?? new Map()).set(issue.id, topics));
	}
	return assets.map((asset) => ({
		asset,
		issues: issuesOf.get(asset) ?? [],
		topics: topicsOf.get(asset) ?? new Map(),
		media: asset.paths.map((path) => media.get(path)).find((one) => one !== void 0)
	}));
}
function tone(report) {
	if (report.verdict === "skipped") return "";
	if (report.verdict === "pass") return report.mode === "sandbox" || report.lastKnown ? "warn" : "good";
	return report.green ? "warn" : "bad";
}
function verdict(report) {
	const { counts } = report;
	const facts = [
		["Check", report.green ? "green" : "red"],
		["Files", (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.filesMatched)],
		["Active issues", (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.issues)],
		["Stop the check", (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.failing)],
		["Known", orNothing(counts.known)],
		["Waived", orNothing(counts.waived)],
		["Closed in the service", orNothing(counts.ignored)],
		["What it cost", cost(report)]
	].filter(([, value]) => value !== "").map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("");
	const memory = report.lastKnown ? `<p>${sentence(report.lastKnown.message)}</p>` : "";
	return `<div class="card verdict ${tone(report)}"><p class="stamp">${text(report.gate, 100)}</p><h1>${sentence(title(report))}</h1><p><strong>${consequence(report)}</strong></p>${memory}<p>${threshold(report)}</p><dl class="facts">${facts}</dl></div>`;
}
function orNothing(number) {
	return number === 0 ? "" : (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(number);
}
function nextSteps$1(report) {
	const steps = listItems(report.nextSteps, MAX_STEPS$1, "step");
	const list = steps !== "" ? `<ol>${steps}</ol>` : "<p>Nothing has to be done.</p>";
	const more = moreAbout(report);
	return `<section class="card" aria-labelledby="next"><h2 id="next">What to do now</h2>${list}${more === "" ? "" : `<p class="soft">${more}</p>`}</section>`;
}
function listItems(sentences, most, noun) {
	const items = sentences.slice(0, most).map((one) => `<li>${sentence(one)}</li>`);
	return items.join("") + andMore(sentences.length - items.length, noun, (words) => `<li>${words}</li>`);
}
function picture({ counts }) {
	const most = Math.max(1, ..._main_js__WEBPACK_IMPORTED_MODULE_0__.m.map((severity) => counts.bySeverity[severity]));
	return `<section class="card" aria-labelledby="bars"><h2 id="bars">Active issues by severity</h2><div class="bars">${_main_js__WEBPACK_IMPORTED_MODULE_0__.m.map((severity) => {
		const number = counts.bySeverity[severity];
		const width = Math.round(number / most * 1e3) / 10;
		return `<span class="${severity}">${SEVERITY_NAMES[severity]}</span><svg aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 14"><rect class="fill-${severity}" width="${number > 0 ? Math.max(1, width) : 0}" height="14"/></svg><strong>${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(number)}</strong>`;
	}).join("")}</div></section>`;
}
function causes(report) {
	const all = tabledCauses(report);
	if (all.length === 0) return "";
	const hasFiles = all.some(({ path }) => path !== void 0);
	const shown = all.slice(0, 1e3);
	const rows = shown.map(({ path, message, fix }) => {
		const file = path === void 0 ? "–" : `<code>${text(path, 500)}</code>`;
		return `<tr>${hasFiles ? `<td>${file}</td>` : ""}<td>${sentence(message)}</td><td>${sentence(fix)}</td></tr>`;
	});
	const hidden = all.length - shown.length;
	return `<section class="card" aria-labelledby="causes"><h2 id="causes">${causesTitle(report)}</h2><div class="scroll" tabindex="0" role="group" aria-label="Problems"><table><thead><tr>${hasFiles ? "<th scope=\"col\">File</th>" : ""}<th scope="col">What happened</th><th scope="col">What to do</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>${hidden > 0 ? `<p>${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(hidden, "more problem")} in report.json</p>` : ""}</section>`;
}
function filters(report, listed) {
	if (listed.length === 0 && !report.assets.some((asset) => (asset.fixed ?? []).length > 0)) return "";
	const statuses = [...new Set(listed.slice(0, MAX_ISSUES$2).map(({ issue }) => truncate(issue.status, 80)))].slice(0, 50);
	const of = (severity) => listed.filter(({ issue }) => issue.severity === severity).length;
	return `<section class="card filters" aria-labelledby="filter" hidden><h2 id="filter">Filter the issues</h2><form id="filters">
<fieldset><legend>Severity</legend>${_main_js__WEBPACK_IMPORTED_MODULE_0__.m.map((severity) => `<label class="check"><input type="checkbox" name="severity" value="${severity}" checked><span class="${severity}">${SEVERITY_NAMES[severity]}</span> ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(of(severity))}</label>`).join("")}</fieldset>
${select("Counted as", "standing", [
		["active", "active"],
		["known", "known"],
		["waived", "waived"],
		["ignored", "closed in the service"]
	])}
${select("Status", "status", statuses.map((status) => [status, status]))}
${select("Since the base branch", "age", [["new", "new"], ["also on the base branch", "also on the base branch"]])}
${select("Since the version before", "version", [["this", "found in this version"], ["before", "fixed"]])}
<label class="field">File<input type="search" name="file" autocomplete="off"></label><button type="button">Show all</button></form>
<p id="told" role="status"></p></section>`;
}
function select(label, name, options) {
	return `<label class="field">${label}<select name="${name}"><option value="">all</option>${options.map(([value, word]) => `<option value="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.b)(value)}">${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.b)(word)}</option>`).join("")}</select></label>`;
}
function cleanList(clean, mode) {
	if (clean.length === 0) return "";
	const rows = clean.slice(0, MAX_CLEAN_FILES).map((asset) => {
		const paths = asset.paths.slice(0, MAX_PATHS).map((path) => `<code>${text(path, 500)}</code>`);
		const more = andMore(asset.paths.length - paths.length, "path", (words) => `<br>${words}`);
		return `<tr><td>${paths.join("<br>")}${more}</td><td>${text(facts$2(asset), 500)}</td></tr>`;
	});
	const hidden = countFiles(clean.slice(rows.length));
	return `<section class="card" aria-labelledby="clean"><h2 id="clean">${cleanFiles(mode, countFiles(clean))}</h2><details><summary>Show the list</summary><table><thead><tr><th scope="col">File</th><th scope="col">What it is, how it was checked</th></tr></thead><tbody>${rows.join("")}</tbody></table></details>${hidden > 0 ? `<p>${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(hidden, "more file")} in report.json</p>` : ""}</section>`;
}
function leftOutNote$1(number, noun) {
	if (number <= 0) return "";
	return `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(number, noun)}, the least severe, ${number === 1 ? "is" : "are"} left out of this page; report.json has all.`;
}
function notices$1(all) {
	if (all.length === 0) return "";
	return `<section class="card" aria-labelledby="notices"><h2 id="notices">Also good to know</h2><ul>${listItems(all, MAX_NOTICES, "notice")}</ul></section>`;
}
function footer$1({ run, submission, judgedAt, mode }) {
	return [
		run.repository && `${text(run.repository, 200)} at ${text(run.ref, 200)} (${text(run.commit.slice(0, 7))})`,
		run.url && link(run.url, "the run"),
		submission.id && `submission ${text(submission.id, 100)} ${text(submission.status, 40)}`,
		judgedAt.replace(/^(.{10})T(.{5}).*$/, "$1 $2 UTC"),
		mode === "sandbox" ? "sandbox: no credits" : "only what is sent costs credits"
	].filter((part) => part !== "" && part !== void 0).join(" · ");
}
// src/report/json.ts
const JSON_VERSION = 1;
const ASSETS_IN_A_PIECE = 20;
function* renderJson(report) {
	const { assets } = report;
	const [head = ""] = inJson(withoutAssets(report)).split(/\]\n\}$/);
	yield head;
	for (let at = 0; at < assets.length; at += ASSETS_IN_A_PIECE) {
		const some = assets.slice(at, at + ASSETS_IN_A_PIECE).map((one) => inJson(asset(one)).replaceAll("\n", "\n  "));
		yield `${at === 0 ? "" : ","}\n  ${some.join(",\n  ")}`;
	}
	yield `${assets.length === 0 ? "" : "\n "}]\n}\n`;
}
function inJson(value) {
	return JSON.stringify(value, void 0, 1);
}
function withoutAssets(report) {
	return {
		schemaVersion: JSON_VERSION,
		gate: report.gate,
		judgedAt: report.judgedAt,
		verdict: report.verdict,
		reason: report.reason,
		green: report.green,
		mode: report.mode,
		lastKnown: report.lastKnown ?? null,
		headline: report.headline,
		nextSteps: report.nextSteps,
		causes: report.causes.map(({ reason, message, fix, path }) => ({
			reason,
			message,
			fix,
			path: path ?? null
		})),
		notices: report.notices,
		policy: report.policy,
		submission: report.submission,
		run: report.run,
		counts: report.counts,
		highestSeverity: report.highestSeverity,
		assets: []
	};
}
function asset(one) {
	return {
		paths: one.paths,
		size: one.size,
		sha256: one.sha256,
		mime: one.mime,
		category: one.category ?? null,
		source: one.source,
		sourceReason: one.sourceReason,
		analysedAt: one.analysedAt ?? null,
		submissionId: one.submissionId ?? null,
		assetId: one.assetId ?? null,
		versionNumber: one.versionNumber ?? null,
		versionCount: one.versionCount ?? null,
		retries: one.retries,
		outcome: one.outcome,
		issues: one.issues.map(reportedIssue),
		fixed: one.fixed?.map(issue) ?? null,
		topics: one.topics.map(({ title, issueIds }) => ({
			title,
			issueIds
		}))
	};
}
function reportedIssue(one) {
	return {
		...issue(one),
		standing: one.standing,
		isNew: one.isNew ?? null,
		failsGate: one.failsGate,
		url: one.url ?? null,
		waiver: one.waiver ?? null
	};
}
function issue(one) {
	return {
		id: one.id,
		referenceNumber: one.referenceNumber ?? null,
		ruleCode: one.ruleCode,
		severity: one.severity,
		reportedSeverity: one.reportedSeverity,
		status: one.status,
		summary: one.summary,
		headline: one.headline ?? null,
		reasoning: one.reasoning ?? null,
		precedents: one.precedents.map(({ url, title, decision, date }) => ({
			url,
			title,
			decision,
			date
		})),
		sidekickId: one.sidekickId ?? null,
		createdAt: one.createdAt ?? null,
		updatedAt: one.updatedAt ?? null
	};
}
// src/report/junit.ts
const MAX_TEXT_LENGTH$1 = 2e3;
const MAX_ISSUES$1 = 200;
function renderJunit(report) {
	const causes = Map.groupBy(report.causes, ({ path }) => path);
	const cases = report.assets.flatMap((asset) => {
		const own = asset.paths.flatMap((path) => causes.get(path) ?? []);
		return asset.paths.map((path) => fileCase(report, asset, path, own));
	});
	const listed = new Set(report.assets.flatMap((asset) => asset.paths));
	for (const cause of report.causes) {
		if (cause.path !== void 0 && listed.has(cause.path)) continue;
		const name = cause.path ?? cause.reason;
		const body = element("error", cause.message, cause.fix, cause.reason);
		cases.push(report.verdict === "skipped" ? skippedCase(report, name) : {
			name,
			result: "error",
			body
		});
	}
	const total = (result) => cases.filter((one) => one.result === result).length;
	const counts = `tests="${cases.length}" failures="${total("failed")}" errors="${total("error")}" skipped="${total("skipped")}"`;
	const gate = (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(report.gate);
	return [
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
		`<testsuites name="${gate}" ${counts} time="0">`,
		`<testsuite name="${gate}" ${counts} time="0" timestamp="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(report.judgedAt)}">`,
		`<properties>${properties(report).join("")}</properties>`,
		...cases.map((one) => `<testcase classname="${gate}" name="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(one.name)}" time="0">${one.body}</testcase>`),
		"</testsuite>",
		"</testsuites>",
		""
	].join("\n");
}
function properties(report) {
	return [
		["verdict", report.verdict],
		["headline", title(report)],
		...report.lastKnown ? [["last-known", report.lastKnown.since]] : []
	].map(([name, value]) => `<property name="${name}" value="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(truncate(value, MAX_TEXT_LENGTH$1))}"/>`);
}
function fileCase(report, asset, name, causes) {
	const failing = asset.issues.filter((issue) => issue.failsGate);
	const rest = asset.issues.filter((issue) => !issue.failsGate);
	const [cause, ...further] = causes;
	const problems = (failing.length === 0 && asset.outcome !== "judged" ? further : causes).map(({ message, fix }) => truncate(`${message} ${fix}`, MAX_TEXT_LENGTH$1));
	const told = [
		provenance(asset),
		...problems,
		...lines(rest)
	].join("\n");
	const output = `<system-out>${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(told)}</system-out>`;
	const [worst] = failing;
	if (worst !== void 0) {
		const type = `${worst.severity} ${worst.ruleCode}`;
		return {
			name,
			result: "failed",
			body: element("failure", stopping(failing.length), lines(failing).join("\n"), type) + output
		};
	}
	if (asset.outcome === "judged") return {
		name,
		result: "passed",
		body: output
	};
	if (report.verdict === "skipped") return skippedCase(report, name);
	return {
		name,
		result: "error",
		body: element("error", cause?.message ?? (asset.outcome === "failed" ? "The analysis failed." : "The file was not judged."), cause?.fix ?? "", cause?.reason ?? asset.outcome) + output
	};
}
function skippedCase(report, name) {
	return {
		name,
		result: "skipped",
		body: `<skipped message="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(truncate(title(report), MAX_TEXT_LENGTH$1))}"/>`
	};
}
function element(name, message, text, type) {
	return `<${name} message="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(truncate(message, MAX_TEXT_LENGTH$1))}" type="${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(truncate(type, 200))}">${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.D)(text)}</${name}>`;
}
function lines(issues) {
	const told = issues.slice(0, MAX_ISSUES$1).map((issue) => {
		const number = issue.referenceNumber === void 0 ? "" : ` #${issue.referenceNumber}`;
		const words = truncate(issue.headline || issue.summary, MAX_TEXT_LENGTH$1);
		return `${issue.severity} ${truncate(issue.ruleCode, 200)}${number} (${issue.standing}, ${truncate(issue.status, 80)}): ${words}`;
	});
	return issues.length > MAX_ISSUES$1 ? [...told, `and ${issues.length - MAX_ISSUES$1} more`] : told;
}
// src/report/sarif.ts
const MAX_RESULTS = 25e3;
const MAX_LOCATIONS = 100;
const MAX_NOTIFICATIONS = 500;
const MAX_TEXT_LENGTH = 1e3;
const LEVELS = {
	CRITICAL: "error",
	MAJOR: "warning",
	MINOR: "note",
	INFO: "note"
};
function renderSarif(report, mostResults = MAX_RESULTS) {
	const listed = worstFirst(report).filter(({ issue }) => issue.standing === "active" || issue.standing === "known");
	const shown = listed.slice(0, mostResults);
	const cut = listed.length - shown.length;
	const rules = new Map();
	for (const { issue } of shown) {
		const id = ruleId(issue);
		if (!rules.has(id)) rules.set(id, {
			index: rules.size,
			text: plain(issue.headline || issue.summary || id)
		});
	}
	const fingerprint = fingerprints();
	return `${JSON.stringify({
		$schema: "https://json.schemastore.org/sarif-2.1.0.json",
		version: "2.1.0",
		runs: [{
			tool: { driver: {
				name: "Media Compliance Gate",
				rules: Array.from(rules, ([id, { text }]) => ({
					id,
					shortDescription: { text: id },
					fullDescription: { text }
				}))
			} },
			automationDetails: { id: `${truncate(report.gate.toWellFormed(), 100).replaceAll("/", "-")}/` },
			columnKind: "utf16CodeUnits",
			invocations: [{
				executionSuccessful: report.verdict !== "error",
				toolExecutionNotifications: notifications(report, cut)
			}],
			properties: {
				verdict: report.verdict,
				resultsTotal: listed.length,
				resultsLeftOut: cut,
				waived: report.counts.waived,
				ignored: report.counts.ignored
			},
			results: shown.map((entry) => result(entry, rules.get(ruleId(entry.issue))?.index ?? 0, fingerprint(entry)))
		}]
	})}\n`;
}
function ruleId(issue) {
	return truncate((0,_main_js__WEBPACK_IMPORTED_MODULE_0__.E)(issue.ruleCode).trim(), 200) || "unnamed-rule";
}
function plain(text) {
	return (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.E)(truncate(text, MAX_TEXT_LENGTH)).replace(/[\\[\]]/g, "\\$&");
}
function relativeUri(path) {
	return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}
function fingerprints() {
	const seen = new Map();
	return ({ asset, issue }) => {
		const key = JSON.stringify([
			asset.paths[0],
			issue.ruleCode,
			issue.sidekickId ?? ""
		]);
		const place = (seen.get(key) ?? 0) + 1;
		seen.set(key, place);
		return (0,node_crypto__WEBPACK_IMPORTED_MODULE_3__.createHash)("sha256").update(`${key}#${place}`).digest("hex").slice(0, 32);
	};
}
function result({ asset, issue }, ruleIndex, fingerprint) {
	const why = issue.headline ? `${plain(issue.headline)}: ` : "";
	return {
		ruleId: ruleId(issue),
		ruleIndex,
		level: LEVELS[issue.severity],
		message: { text: `${issue.severity}: ${why}${plain(issue.summary)}` },
		locations: asset.paths.slice(0, MAX_LOCATIONS).map((path) => ({ physicalLocation: {
			artifactLocation: {
				uri: relativeUri(path),
				uriBaseId: "%SRCROOT%"
			},
			region: { startLine: 1 }
		} })),
		partialFingerprints: {
			primaryLocationLineHash: `${fingerprint}:1`,
			"mediaComplianceIssue/v1": fingerprint
		},
		...issue.isNew === void 0 ? {} : { baselineState: issue.isNew ? "new" : "unchanged" },
		properties: {
			severity: issue.severity,
			status: issue.status,
			standing: issue.standing,
			failsGate: issue.failsGate,
			referenceNumber: issue.referenceNumber ?? null,
			issueId: issue.id,
			locationsLeftOut: Math.max(0, asset.paths.length - MAX_LOCATIONS)
		}
	};
}
function notifications(report, cut) {
	const told = report.causes.slice(0, MAX_NOTIFICATIONS).map((cause) => ({
		level: report.verdict === "skipped" ? "note" : "error",
		descriptor: { id: cause.reason },
		message: { text: plain(`${cause.message} ${cause.fix}`) },
		...cause.path === void 0 ? {} : { locations: [{ physicalLocation: { artifactLocation: {
			uri: relativeUri(cause.path),
			uriBaseId: "%SRCROOT%"
		} } }] }
	}));
	const problems = report.causes.length - told.length;
	return [
		...told,
		...leftOut("problems-left-out", problems, "problem", "report.json has all"),
		...leftOut("results-left-out", cut, "less severe result", `code scanning takes ${MAX_RESULTS} at most`)
	];
}
function leftOut(id, number, noun, why) {
	if (number === 0) return [];
	const text = `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(number, noun)} left out: ${why}.`;
	return [{
		level: "warning",
		descriptor: { id },
		message: { text }
	}];
}
// src/report/budget.ts
var Budget = class Budget {
	left;
	constructor(bytes) {
		this.left = bytes;
	}
	take(text) {
		const bytes = Buffer.byteLength(text) + 1;
		if (bytes > this.left) return false;
		this.left -= bytes;
		return true;
	}
	share(fraction) {
		const bytes = Math.floor(this.left * fraction);
		this.left -= bytes;
		return new Budget(bytes);
	}
	giveBack(unused) {
		this.left += unused.left;
		unused.left = 0;
	}
};
function takeWhileFits(items, budget, render) {
	const kept = [];
	for (const item of items) {
		const text = render(item);
		if (!budget.take(text)) break;
		kept.push(text);
	}
	return kept;
}
// src/report/summary-parts.ts
function essentialsOf(report, listed, budget) {
	const fit = (text) => budget.take(text) ? text : "";
	return {
		heading: fit(heading(report)),
		meaning: fit(meaning(report)),
		facts: fit(facts(report)),
		worst: fit(worst(listed)),
		footer: fit(footer(report)),
		nextSteps: fit(nextSteps(report)),
		picture: fit(severityPicture(report, listed))
	};
}
function heading(report) {
	return `## ${verdictMark(report)} ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.w)(truncate(title(report), 400))}`;
}
function meaning(report) {
	const memory = report.lastKnown ? `\n\n⚠️ ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.w)(truncate(report.lastKnown.message, 1e3))}` : "";
	return `**${consequence(report)}**${memory}`;
}
function facts(report) {
	return [
		`**${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(report.counts.filesMatched, "file")}** ${checkedWord(report)}`,
		issueFacts(report),
		`**${cost(report)}**`
	].filter((fact) => fact !== "").join(" · ");
}
function checkedWord(report) {
	if (report.verdict === "skipped") return report.counts.filesMatched === 0 ? "looked at" : "matched, none checked";
	return report.mode === "sandbox" ? "in the sandbox, none analysed" : "matched";
}
function issueFacts({ assets, counts, verdict, mode }) {
	if (counts.issues === 0) {
		if (verdict === "skipped" || mode === "sandbox") return "";
		if (!assets.some(({ outcome }) => outcome === "judged")) return "nothing was judged";
		if (verdict !== "error") return "no active issues";
		const judged = countFiles(assets.filter(({ outcome }) => outcome === "judged"));
		return `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(judged)} judged without an active issue, ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.filesMatched - judged)} not judged`;
	}
	const stops = `, **${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.failing)} ${counts.failing === 1 ? "stops" : "stop"} the check**`;
	return (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(counts.issues, "active issue") + (counts.failing === 0 ? "" : stops);
}
function worst([first]) {
	if (first === void 0 || first.issue.standing !== "active") return "";
	const { asset, issue } = first;
	const words = (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(issue.headline || issue.summary, 200));
	return `**${issue.failsGate ? "Look here first" : "Worst issue"}:** ${pathsShort(asset)}: ${words} (${SEVERITY_MARKS[issue.severity]} ${issue.severity})`;
}
const MAX_STEPS = 10;
function nextSteps(report) {
	if (report.nextSteps.length === 0) return "";
	const shown = report.nextSteps.slice(0, MAX_STEPS).map((step) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.w)(truncate(step, 600)));
	const hidden = report.nextSteps.length - shown.length;
	if (hidden > 0) shown.push(`and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(hidden, "more step")}`);
	const more = moreAbout(report);
	return [
		"### What to do now",
		"",
		...shown.map((step, index) => `${index + 1}. ${step}`),
		...more === "" ? [] : ["", more]
	].join("\n");
}
const SQUARES = {
	CRITICAL: "🟥",
	MAJOR: "🟧",
	MINOR: "🟨",
	INFO: "🟦"
};
const MAX_BAR_LENGTH = 16;
function severityPicture(report, listed) {
	if (listed.length === 0) return "";
	const most = Math.max(..._main_js__WEBPACK_IMPORTED_MODULE_0__.m.map((severity) => report.counts.bySeverity[severity]));
	const failing = {
		CRITICAL: 0,
		MAJOR: 0,
		MINOR: 0,
		INFO: 0
	};
	const fresh = {
		CRITICAL: 0,
		MAJOR: 0,
		MINOR: 0,
		INFO: 0
	};
	for (const { issue } of listed) {
		if (issue.failsGate) failing[issue.severity] += 1;
		if (issue.isNew === true && issue.standing === "active") fresh[issue.severity] += 1;
	}
	const isCompared = listed.some(({ issue }) => issue.isNew !== void 0);
	const rows = _main_js__WEBPACK_IMPORTED_MODULE_0__.m.map((severity) => {
		const number = report.counts.bySeverity[severity];
		return `| ${[
			`${SEVERITY_MARKS[severity]}&nbsp;**${SEVERITY_NAMES[severity]}**`,
			number === 0 ? "" : SQUARES[severity].repeat(barLength(number, most)),
			number === 0 ? "0" : `**${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(number)}**`,
			...isCompared ? [(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(fresh[severity])] : [],
			failing[severity] === 0 ? "–" : `❌ ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(failing[severity])}`
		].join(" | ")} |`;
	});
	return [
		"### Issues by severity",
		"",
		`| Severity | Active issues | Count |${isCompared ? " New |" : ""} Stop the check |`,
		`| --- | --- | ---: |${isCompared ? " ---: |" : ""} --- |`,
		...rows,
		"",
		[threshold(report), notCounted(report)].filter((sentence) => sentence !== "").join(" ")
	].join("\n");
}
function barLength(number, most) {
	return most <= MAX_BAR_LENGTH ? number : Math.max(1, Math.round(number / most * MAX_BAR_LENGTH));
}
function notCounted({ counts }) {
	const told = [
		counts.known > 0 ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.known)} known from the base branch` : "",
		counts.waived > 0 ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.waived)} waived` : "",
		counts.ignored > 0 ? `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(counts.ignored)} closed in the service` : ""
	].filter((part) => part !== "");
	return told.length === 0 ? "" : `Not counted: ${told.join(", ")}.`;
}
function causeTable(causes) {
	const hasFiles = causes.some(({ path }) => path !== void 0);
	const columns = [
		...hasFiles ? ["File"] : [],
		"What happened",
		"What to do"
	];
	return {
		head: [`| ${columns.join(" | ")} |`, `|${" --- |".repeat(columns.length)}`].join("\n"),
		row: ({ path, message, fix }) => {
			return `| ${[
				...hasFiles ? [path === void 0 ? "–" : pathCode(path)] : [],
				(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.w)(truncate(message, 1e3)),
				(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.w)(truncate(fix, 600))
			].join(" | ")} |`;
		}
	};
}
function notices(report) {
	if (report.notices.length === 0) return "";
	const shown = report.notices.slice(0, 20).map((notice) => `- ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.w)(truncate(notice, 600))}`);
	const hidden = report.notices.length - shown.length;
	if (hidden > 0) shown.push(`- and ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.u)(hidden)} more`);
	return [
		"### Also good to know",
		"",
		...shown
	].join("\n");
}
function paid({ mode, assets }) {
	if (mode === "sandbox") return "A sandbox key costs no credits.";
	const sent = assets.filter(({ source }) => source === "sent");
	if (sent.length === 0) return "Nothing was submitted, so this run cost nothing.";
	return `Only ${countFiles(sent) === sent.length ? "files" : "assets"} that are sent cost credits; what is reused is free.`;
}
function footer(report) {
	const { run, submission } = report;
	return `${`**What it cost:** ${cost(report)}. ${paid(report)}`}\n\n<sub>${[
		`gate ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(report.gate, 100))}`,
		run.repository && `${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(run.repository, 100))} at ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(run.ref, 100))} (${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(run.commit.slice(0, 7))})`,
		submission.id && `submission ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(submission.id, 80))} ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(submission.status, 40))}`,
		run.url && link(run.url, "this run"),
		report.fullReport && `full report: ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(report.fullReport, 300))}`
	].filter((part) => part !== "" && part !== void 0).join(" · ")}</sub>`;
}
// src/report/summary.ts
const LIMIT_BYTES = 1040384;
const FRAME_BYTES = 2048;
const FEW = 10;
const OPEN_ISSUES = 5;
function renderSummary(report, limitBytes = LIMIT_BYTES) {
	const listed = worstFirst(report);
	const budget = new Budget(limitBytes - FRAME_BYTES);
	const essentials = essentialsOf(report, listed, budget);
	const [notices$2 = ""] = takeWhileFits([notices(report)], budget, (section) => section);
	const causeShare = budget.share(.2);
	const allCauses = tabledCauses(report);
	const causeTable$2 = causeTable(allCauses);
	const causes = takeWhileFits(allCauses, causeShare, causeTable$2.row);
	budget.giveBack(causeShare);
	const { notable, clean, unsent } = splitFiles(report, allCauses);
	const table = fileTable(report.assets, report.mode);
	const fileShare = budget.share(.35);
	const rows = takeWhileFits(notable, fileShare, table.row);
	budget.giveBack(fileShare);
	const issues = fitIssues(listed, budget);
	const allFixed = fixedOf(report.assets);
	const fixed = takeWhileFits(allFixed, budget, fixedLine);
	const cleanRows = takeWhileFits(clean, budget, table.row);
	const unsentRows = takeWhileFits(unsent, budget, table.row);
	const leftOut = [
		missing(countFiles([
			...notable.slice(rows.length),
			...clean.slice(cleanRows.length),
			...unsent.slice(unsentRows.length)
		]), "file"),
		missing(allCauses.length - causes.length, "problem"),
		missing(listed.length - issues.lines.length, "issue"),
		issues.detailed < issues.lines.length ? `the details of ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(issues.lines.length - issues.detailed, "issue")}` : "",
		missing(allFixed.length - fixed.length, "fixed issue")
	].filter((part) => part !== "");
	return [
		essentials.heading,
		essentials.meaning,
		essentials.facts,
		essentials.worst,
		leftOut.length === 0 ? "" : leftOutNote(report, leftOut),
		essentials.nextSteps,
		causes.length === 0 ? "" : section(causesTitle(report), [causeTable$2.head, ...causes]),
		essentials.picture,
		rows.length === 0 ? "" : section("Files, worst first", [table.head, ...rows]),
		cleanRows.length === 0 ? "" : folded(cleanFiles(report.mode, countFiles(clean)), [table.head, ...cleanRows]),
		unsentRows.length === 0 ? "" : folded(`${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(countFiles(unsent), "file")} not submitted`, [table.head, ...unsentRows]),
		...issueSections(listed, issues.lines),
		fixed.length === 0 ? "" : section("Fixed since the version before", fixed),
		notices$2,
		"---",
		essentials.footer
	].filter((part) => part !== "").join("\n\n").concat("\n");
}
function isIn(asset, paths) {
	return asset.paths.some((path) => paths.has(path));
}
function splitFiles({ assets, causes }, tabled) {
	const blamed = new Set(causes.map(({ path }) => path));
	const told = new Set(tabled.map(({ path }) => path));
	const isUnsent = (asset) => asset.source === "not-sent" && !isIn(asset, blamed);
	const isTold = (asset) => asset.outcome !== "judged" && asset.issues.length === 0 && isIn(asset, told);
	const others = assets.filter((asset) => !isUnsent(asset) && !isTold(asset));
	const isShort = others.length <= FEW;
	return {
		notable: isShort ? others : others.filter((asset) => !isClean(asset)),
		clean: isShort ? [] : others.filter(isClean),
		unsent: assets.filter(isUnsent)
	};
}
function fitIssues(listed, budget) {
	const lines = takeWhileFits(listed, budget, asLine);
	let detailed = 0;
	for (const entry of listed.slice(0, lines.length)) {
		const details = issueDetails(entry, detailed < OPEN_ISSUES && entry.issue.failsGate);
		const line = lines[detailed] ?? "";
		budget.giveBack(new Budget(Buffer.byteLength(line) + 1));
		if (!budget.take(details)) {
			budget.take(line);
			break;
		}
		lines[detailed] = details;
		detailed += 1;
	}
	return {
		lines,
		detailed
	};
}
function asLine(entry) {
	return `<div>${issueLine(entry)}</div>`;
}
function issueSections(listed, lines) {
	const pick = (wanted) => lines.filter((_, index) => {
		const entry = listed[index];
		return entry !== void 0 && wanted(entry);
	});
	const failing = pick(({ issue }) => issue.failsGate);
	const others = pick(({ issue }) => !issue.failsGate && issue.standing === "active");
	const apart = pick(({ issue }) => issue.standing !== "active");
	return [
		failing.length === 0 ? "" : section("Issues that stop the check, worst first", failing),
		others.length === 0 ? "" : section(failing.length > 0 ? "Other active issues" : "Active issues", others),
		apart.length === 0 ? "" : section("Issues that do not count", apart)
	];
}
function fixedOf(assets) {
	return assets.flatMap((asset) => (asset.fixed ?? []).map((issue) => ({
		asset,
		issue
	})));
}
function fixedLine({ asset, issue }) {
	return `<div>✅ was ${issueName(issue)} in ${pathsShort(asset)}</div>`;
}
function section(title, lines) {
	return [
		`### ${title}`,
		"",
		...lines
	].join("\n");
}
function folded(title, lines) {
	return [
		`<details><summary>${title}</summary>`,
		"",
		...lines,
		"",
		"</details>"
	].join("\n");
}
function missing(number, noun) {
	return number > 0 ? (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(number, noun) : "";
}
function leftOutNote(report, leftOut) {
	const where = report.fullReport ? `in ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.S)(truncate(report.fullReport, 300))}` : "in the report files of this run";
	return `**This page is shortened** to fit GitHub's limit; the counts above are complete. Left out, least severe first: ${leftOut.join(", ")}. Everything is ${where}.`;
}
// src/report/files.ts
const HTML_NAME = "report.html";
const SARIF_NAME = "report.sarif";
function reportFiles(report, media) {
	return [
		{
			name: HTML_NAME,
			pieces: () => [renderHtml(report, media)]
		},
		{
			name: "report.json",
			pieces: () => renderJson(report)
		},
		{
			name: SARIF_NAME,
			pieces: () => [renderSarif(report)]
		},
		{
			name: "junit.xml",
			pieces: () => [renderJunit(report)]
		},
		{
			name: "summary.md",
			pieces: () => [renderSummary(report)]
		},
		{
			name: "cleared.sha256",
			pieces: () => [renderCleared(report)]
		},
		{
			name: "predicate.json",
			pieces: () => [renderPredicate(report)]
		}
	];
}
// src/report/comment.ts
const MAX_ROWS = 10;
const MAX_ISSUES = 20;
function markerLine(marker) {
	return `<!-- ${marker.replace(/[^\w:./@ ]/gu, "-").replace(/-{2,}/g, "-")} -->`;
}
function renderComment(report, marker) {
	const listed = worstFirst(report);
	const active = listed.filter(({ issue }) => issue.standing === "active");
	const budget = new Budget(64512);
	const head = markerLine(marker);
	budget.take(head);
	const essentials = essentialsOf(report, listed, budget);
	const allCauses = tabledCauses(report);
	const causeTable$1 = causeTable(allCauses);
	const causes = takeWhileFits(allCauses.slice(0, MAX_ROWS), budget, causeTable$1.row);
	const notable = report.assets.filter((asset) => !isClean(asset));
	const table = fileTable(notable, report.mode);
	const rows = takeWhileFits(notable.slice(0, MAX_ROWS), budget, table.row);
	const issues = takeWhileFits(active.slice(0, MAX_ISSUES), budget, (entry) => issueDetails(entry, false));
	const leftOut = [
		[allCauses.length - causes.length, "problem"],
		[countFiles(notable.slice(rows.length)), "file"],
		[active.length - issues.length, "active issue"]
	].filter(([number]) => number > 0).map(([number, noun]) => (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.f)(number, noun));
	const summary = link(report.run.url, "the summary of the run");
	return [
		head,
		essentials.heading,
		essentials.meaning,
		essentials.facts,
		essentials.worst,
		essentials.nextSteps,
		causes.length === 0 ? "" : [
			`### ${causesTitle(report)}`,
			"",
			causeTable$1.head,
			...causes
		].join("\n"),
		essentials.picture,
		rows.length === 0 ? "" : [
			"### Files, worst first",
			"",
			table.head,
			...rows
		].join("\n"),
		issues.length === 0 ? "" : [
			"### Active issues, worst first",
			"",
			...issues
		].join("\n"),
		leftOut.length === 0 ? "" : `Not shown here, least severe first: ${leftOut.join(", ")}. They are in ${summary}.`,
		essentials.footer
	].filter((part) => part !== "").join("\n\n");
}
// src/publish/post-comment.ts
const TRIES = 2;
async function writeComment(report, inputs, place, api, log) {
	const { pullRequest } = place;
	if (inputs.comment === "never" || inputs.dryRun || !pullRequest) return;
	if (pullRequest.number === void 0) {
		log.warning("No comment was written: GitHub does not tell a `workflow_run` which pull request of a fork it follows. Run the gate on `pull_request_target` if you want one.");
		return;
	}
	const marker = `media-compliance-gate ${(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.r)({
		...inputs,
		...place
	})}`;
	const body = renderComment(report, marker);
	const target = {
		number: pullRequest.number,
		headSha: pullRequest.headSha,
		marker,
		body
	};
	try {
		for (let attempt = 1;; attempt++) try {
			await keepUpToDate(target, inputs.comment, report.green, api, log);
			return;
		} catch (error) {
			if (!(error instanceof _main_js__WEBPACK_IMPORTED_MODULE_0__.v && error.trouble === "unavailable" && attempt < TRIES)) throw error;
		}
	} catch (error) {
		if (!(error instanceof _main_js__WEBPACK_IMPORTED_MODULE_0__.y)) log.warning(`${inWords(error, place)} The verdict stands.`);
	}
}
async function keepUpToDate({ number, headSha, marker, body }, mode, isGreen, api, log) {
	const existing = await findOwn(await api.comments(number), marker, async () => await api.ownLogin());
	if (!existing && mode === "on-failure" && isGreen) return;
	if ((await api.pullRequest(number)).headSha !== headSha) {
		log.info("The pull request has been pushed to since: its comment is left to the run of the newest commit.");
		return;
	}
	if (existing) await api.updateComment(existing.id, body);
	else await api.createComment(number, body);
	log.info(existing ? "Updated the comment on the pull request." : "Wrote a comment on the pull request.");
}
async function findOwn(comments, marker, ownLogin) {
	const marked = comments.filter(({ body }) => body?.trimStart().startsWith(markerLine(marker)));
	if (marked.length === 0) return void 0;
	const own = await ownLogin();
	return marked.find(({ user }) => user?.login === own);
}
function inWords(error, { event, pullRequest }) {
	if (!(error instanceof _main_js__WEBPACK_IMPORTED_MODULE_0__.v)) return `Could not write the comment: ${error instanceof Error ? error.message : String(error)}.`;
	if (error.trouble === "permission" && pullRequest?.isFork && event === "pull_request") return `${error.message} GitHub gives pull requests from forks a token that cannot write; the summary of the run tells the same.`;
	return `${error.message} ${error.fix}`;
}
// src/publish/report-folder.ts
function reportPlace(report, inputs, context, hasArtifacts) {
	const id = (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.i)({
		...context,
		name: report.gate,
		matrix: inputs?.matrix ?? ""
	}).slice(0, 8);
	const name = `${report.gate}-report-${id}`;
	const folder = inputs?.reportDir === void 0 ? node_path__WEBPACK_IMPORTED_MODULE_2__.join(context.temp || (0,node_os__WEBPACK_IMPORTED_MODULE_4__.tmpdir)(), name) : node_path__WEBPACK_IMPORTED_MODULE_2__.resolve(context.workspace, inputs.reportDir);
	const isUploaded = inputs?.reportArtifact === true && hasArtifacts && !context.isGhes;
	return {
		folder,
		artifact: isUploaded ? name : void 0,
		inWords: isUploaded ? `artifact ${name} of this run` : folder
	};
}
async function writeReports(report, folder, workspace) {
	const media = await readMedia(report, workspace);
	await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)(folder, { recursive: true });
	const files = [];
	for (const { name, pieces } of reportFiles(report, media)) {
		const file = node_path__WEBPACK_IMPORTED_MODULE_2__.join(folder, name);
		await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.writeFile)(file, pieces());
		files.push(file);
	}
	return files;
}
async function readMedia(report, workspace) {
	const chosen = new Set(mediaToEmbed(report.assets));
	const media = new Map();
	for (const { paths, mime, size } of report.assets) {
		const [file] = paths;
		if (file === void 0 || !chosen.has(file)) continue;
		const bytes = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.readFile)(node_path__WEBPACK_IMPORTED_MODULE_2__.join(workspace, file));
		if (bytes.length === size) media.set(file, {
			mime,
			base64: bytes.toString("base64")
		});
	}
	return media;
}
async function uploadReports({ artifact, folder }, files, retentionDays) {
	if (artifact === void 0) return;
	await (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.a)(artifact, files, retentionDays);
	const page = node_path__WEBPACK_IMPORTED_MODULE_2__.join(folder, `${artifact}.html`);
	await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.copyFile)(node_path__WEBPACK_IMPORTED_MODULE_2__.join(folder, HTML_NAME), page);
	await (0,_main_js__WEBPACK_IMPORTED_MODULE_0__.o)(page, retentionDays);
}
// src/publish/publish.ts
async function publish(judged, trail, { runner, api, context }) {
	const { log } = runner;
	const place = reportPlace(judged, trail.inputs, context, runner.hasArtifacts);
	const report = {
		...judged,
		fullReport: place.inWords
	};
	for (const notice of report.notices) log.info(`Note: ${notice}`);
	const reports = await attempt(log, "the report files", () => writeReports(report, place.folder, context.workspace));
	await attempt(log, "the job summary", () => runner.writeSummary(renderSummary(report)));
	if (trail.inputs && !trail.wasStopped) {
		const { inputs } = trail;
		if (reports) await attempt(log, "the report artifact", () => uploadReports(place, reports, inputs.retentionDays));
		await writeComment(report, inputs, context, api, log);
	}
	if (place.artifact !== void 0 && context.isPublic) log.notice("This repository is public, so everybody can read the report artifact. Set `report-artifact: false` to keep the issues to yourself.");
	if (report.verdict === "pass" && report.mode === "sandbox") log.warning(title(report));
	const spoken = trail.skipIsExpected ? {
		...report,
		causes: []
	} : report;
	for (const annotation of annotations(spoken, runner.spent)) runner.annotate(annotation);
	await attempt(log, "the outputs", async () => {
		const reportDir = reports ? place.folder : "";
		const files = {
			reportDir,
			sarifFile: reportDir && node_path__WEBPACK_IMPORTED_MODULE_2__.join(reportDir, "report.sarif"),
			stateFile: trail.stateFile
		};
		for (const [name, value] of Object.entries(outputs(report, files))) runner.output(name, value);
	});
	log.info(receipt(report));
	if (!report.green) runner.fail(title(report));
}
async function attempt(log, what, write) {
	try {
		return await write();
	} catch (error) {
		const words = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
		log.warning(`Could not write ${what}: ${words}. The verdict stands.`);
		return;
	}
}
// src/publish/tell.ts
async function tell(trail, publisher) {
	await publish(buildReport(trail, publisher.context, new Date()), trail, publisher);
}
function tellDefect(defect, runner, context) {
	const report = buildReport({
		...(0,_main_js__WEBPACK_IMPORTED_MODULE_0__.t)(),
		stoppedBy: [defect]
	}, context, new Date());
	for (const [name, value] of Object.entries(outputs(report, NO_FILES))) runner.output(name, value);
	runner.fail(title(report));
}



/***/ })

};
