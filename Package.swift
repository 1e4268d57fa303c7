// swift-tools-version: 6.1
import PackageDescription

/// What a program is linked with that runs where there is no toolchain, too: the Swift runtime is part of
/// it, which also starts it in two thirds of the time. LLVM's linker is quiet about functions of Foundation
/// that nobody calls.
func selfContained(_ flags: String...) -> [LinkerSetting] {
    [.unsafeFlags(["-static-stdlib", "-use-ld=lld"] + flags)]
}

/// The house, floor by floor: a room depends only on rooms that are listed before it (docs/architecture.md).
let package = Package(
    name: "jmix",
    products: [
        .executable(name: "jmix", targets: ["jmix"]),
        .executable(name: "jmixctl", targets: ["jmixctl"]),
        // Compositions and what renders them: it knows nothing of JACK.
        .library(name: "JmixKit", targets: ["JmixKit"]),
        // The same, and what plays on JACK.
        .library(name: "JmixPlayer", targets: ["JmixPlayer"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // Ground: C libraries from Debian, and the few lines of C that Swift cannot say.
        .systemLibrary(name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
        .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
        .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
        .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
        .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(name: "CFiles"),
        .target(name: "CRealtime"),
        .target(name: "CVector"),
        .target(name: "CJackList"),
        .target(name: "CSoundTouch", linkerSettings: [.linkedLibrary("SoundTouch")]),
        .target(name: "CLineEdit", linkerSettings: [.linkedLibrary("edit")]),

        // Floor 1: values and tools.
        .target(name: "JSON"),
        .target(name: "XML", dependencies: ["CExpat"]),
        .target(name: "Files", dependencies: ["CFiles"]),
        .target(name: "Speakers"),
        .target(name: "Timeline", dependencies: ["Speakers", "Files", "JSON", "CZlib"]),
        .target(name: "Realtime", dependencies: ["CRealtime"]),
        .target(
            name: "AudioFile",
            dependencies: [
                "CSndfile", "CSoxr", "CSoundTouch", "CXXHash", "CVector", "Files", "JSON", "Realtime",
                "Speakers",
            ]),
        .target(name: "Loudness", dependencies: ["CEBUR128", "Realtime", "Speakers"]),
        .target(name: "OSC", dependencies: ["CLiblo", "Realtime"]),

        // Floor 2: the engine, and the one vocabulary.
        .target(
            name: "Engine",
            dependencies: [
                "CRealtime", "CVector", "Timeline", "Realtime", "Speakers", "AudioFile", "Loudness", "Files",
            ]),
        .target(name: "Remote", dependencies: ["Timeline", "Speakers", "OSC", "JSON", "Files"]),
        .target(name: "Dialects", dependencies: ["Remote", "Timeline", "OSC", "JSON"]),

        // Floor 3: the loop of the control thread; where it meets JACK, the browser, other programs' files
        // and a terminal; the library.
        .target(
            name: "Loop",
            dependencies: ["CRealtime", "Realtime", .product(name: "Logging", package: "swift-log")]),
        .target(
            name: "JackDriver",
            dependencies: [
                "CJack", "CJackList", "CRealtime", "Realtime", "Speakers", "Engine", "Timeline", "Files",
            ]),
        // The page in the browser, embedded in the program as it is.
        .target(name: "Page", exclude: ["page"]),
        .target(
            name: "Web",
            dependencies: [
                "OSC", "JSON", "Realtime", "Page", "CAvahi", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),
        .target(name: "Layouts", dependencies: ["Remote", "Timeline", "JSON", "XML", "CZlib"]),
        .target(name: "TerminalPicture", dependencies: ["Remote", "Timeline"]),
        .target(
            name: "Shell",
            dependencies: [
                "CLineEdit", "Remote", "OSC", "JSON", "Timeline", "Speakers", "Realtime", "Files",
            ]),
        .target(
            name: "JmixKit",
            dependencies: ["Timeline", "Speakers", "Realtime", "Engine", "AudioFile", "Loudness", "Files"]),
        .target(
            name: "Exchange",
            dependencies: [
                "CZip", "Timeline", "Realtime", "Speakers", "Engine", "AudioFile", "Files", "JSON", "XML",
            ]),
        .target(
            name: "Plotting", dependencies: ["CCairo", "Timeline", "Engine", "AudioFile", "Files", "JSON"]),

        // Floor 4: the console, the mixer around it, and compositions on JACK.
        .target(
            name: "Console",
            dependencies: [
                "Loop", "Timeline", "Realtime", "Speakers", "Engine", "Remote", "AudioFile", "Files", "JSON",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "MixerControl",
            dependencies: [
                "Console", "Loop", "Timeline", "Realtime", "Speakers", "Engine", "JackDriver",
                "Remote", "Dialects", "TerminalPicture", "OSC", "AudioFile", "Files", "Web", "JSON",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .target(
            name: "JmixPlayer",
            dependencies: ["JmixKit", "JackDriver", "Engine", "AudioFile", "Files", "Timeline"]),

        // Floor 5: the programs.
        .executableTarget(
            name: "jmix",
            dependencies: [
                "Timeline", "Speakers", "Engine", "JackDriver", "Loop", "Console", "MixerControl", "Remote",
                "Dialects", "Shell",
                "Layouts", "Plotting", "Loudness", "OSC", "AudioFile", "Files", "JSON", "Realtime", "Web",
                "Exchange",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            // So that libjack finds the function of CJackList before the C++ library's.
            linkerSettings: selfContained(
                "-l_FoundationCShims", "-l_FoundationCollections", "-Xlinker",
                "--export-dynamic-symbol=_ZdlPv")),
        .executableTarget(
            name: "jmixctl",
            dependencies: ["Shell", "Remote", "OSC", "JSON", "TerminalPicture", "Timeline", "Realtime"],
            linkerSettings: selfContained()),

        // What docs/examples shows: compiled and run by the tests.
        .executableTarget(
            name: "example-reference-automation", dependencies: ["JmixKit"],
            path: "docs/examples/reference-automation"),
        .executableTarget(name: "example-export", dependencies: ["JmixKit"], path: "docs/examples/export"),
        .executableTarget(
            name: "example-callback-source", dependencies: ["JmixKit"],
            path: "docs/examples/callback-source"),
        .executableTarget(
            name: "example-ducking", dependencies: ["JmixPlayer"], path: "docs/examples/ducking"),

        .executableTarget(
            name: "Bench",
            dependencies: ["Timeline", "Realtime", "Engine", "AudioFile", "OSC", "Remote", "JSON"],
            path: "Tests/Bench",
            exclude: ["bench.py", "callback_floor.c", "floor.c", "growth.gnuplot", "limits.md", "web.py"]),
        .executableTarget(
            name: "SanitizerControl", dependencies: ["CRealtime"], path: "Tests/SanitizerControl"),
        .target(name: "TestSupport", dependencies: ["AudioFile", "Realtime"], path: "Tests/TestSupport"),
        .testTarget(name: "TimelineTests", dependencies: ["Timeline", "JSON", "TestSupport"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
        .testTarget(name: "RealtimeTests", dependencies: ["Realtime", "TestSupport"]),
        .testTarget(
            name: "AudioFileTests",
            dependencies: ["AudioFile", "Files", "JSON", "Realtime", "Speakers", "TestSupport"]),
        .testTarget(name: "SpeakersTests", dependencies: ["Speakers"]),
        .testTarget(
            name: "EngineTests",
            dependencies: [
                "Engine", "Realtime", "Speakers", "Timeline", "AudioFile", "Loudness", "TestSupport",
            ]),
        .testTarget(name: "JmixKitTests", dependencies: ["JmixPlayer", "JackDriver", "TestSupport"]),
        .testTarget(
            name: "RemoteTests",
            dependencies: ["Remote", "OSC", "JSON", "Realtime", "Timeline", "TestSupport"]),
        .testTarget(name: "OSCTests", dependencies: ["OSC", "Realtime", "Timeline"]),
        .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"]),
        .testTarget(name: "XMLTests", dependencies: ["XML", "TestSupport"]),
        .testTarget(
            name: "ShellTests", dependencies: ["Shell", "Remote", "JSON", "Timeline", "TestSupport"]),
        .testTarget(
            name: "ExchangeTests",
            dependencies: ["Exchange", "Engine", "Timeline", "Files", "TestSupport"]),
        .testTarget(name: "JackDriverTests", dependencies: ["JackDriver", "TestSupport"]),
        .testTarget(name: "DialectsTests", dependencies: ["Dialects", "Remote", "OSC", "Timeline"]),
        .testTarget(name: "WebTests", dependencies: ["Web", "TestSupport"]),
        .testTarget(
            name: "MixerControlTests",
            dependencies: [
                "Loop", "Console", "MixerControl", "Engine", "Remote", "OSC", "Files", "Realtime", "Timeline",
                "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

/// What a target stands on, by name.
func names(_ dependency: Target.Dependency) -> String {
    switch dependency {
    case .targetItem(let name, _), .byNameItem(let name, _), .productItem(let name, _, _, _): name
    @unknown default: ""
    }
}

@MainActor func compile(_ rooms: Set<String>, with flags: [String]) {
    for target in package.targets where rooms.contains(target.name) {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
    }
}

// Tests that go through few samples run as fast without optimisation, and are built in less time.
let optimised: Set = ["RealtimeTests", "TimelineTests", "AudioFileTests", "EngineTests"]
let tests = Set(package.targets.filter { $0.type == .test }.map(\.name))
compile(tests.subtracting(optimised), with: ["-Onone"])

// Only for scripts/asan: JMIX_FUZZER is the archive of libFuzzer. It is guided by the coverage of the rooms
// that packets come through.
if let fuzzer = Context.environment["JMIX_FUZZER"] {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: ["OSC", "Remote", "Web", .product(name: "NIOEmbedded", package: "swift-nio")],
            path: "Tests/Fuzz", exclude: ["Corpus"],
            linkerSettings: [.unsafeFlags([fuzzer, "-use-ld=lld"]), .linkedLibrary("stdc++")]))
    // The compiler heeds the last -sanitize alone, and the first is SwiftPM's.
    compile(["Timeline", "JSON", "OSC", "Remote", "Web", "Fuzz"], with: ["-sanitize=address,fuzzer"])
}

// Only for scripts/tsan and scripts/asan, which build no more than their tests need: the targets that
// JMIX_TARGETS names and the rooms that they stand on. Only the rooms that JMIX_OPTIMISED names are optimised
// there, because the others are built in a third of the time without. These others are compiled file by file:
// compiled as a whole (-wmo) and not optimised, Engine reads wrong values through key paths (Swift 6.3.1).
// They see no more of an optimised room than of one that is built for debugging (-disable-cmo).
@MainActor func targets(named variable: String) -> Set<String>? {
    guard let text = Context.environment[variable] else { return nil }
    let named = Set(text.split(separator: " ").map(String.init))
    let unknown = named.subtracting(package.targets.map(\.name))
    precondition(unknown.isEmpty, "\(variable) names no target: \(unknown.sorted())")
    return named
}
compile(targets(named: "JMIX_OPTIMISED") ?? [], with: ["-O", "-wmo", "-num-threads", "2", "-disable-cmo"])
if var wanted = targets(named: "JMIX_TARGETS") {
    var found = 0
    while found < wanted.count {
        found = wanted.count
        for target in package.targets where wanted.contains(target.name) {
            wanted.formUnion(target.dependencies.map(names))
        }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products.removeAll()
}
