# Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the CUDA sources of targets as actions of the build.

cuda_pipeline_report      aspect: a report per source, in the output group `cuda_pipeline_report`
cuda_pipeline_validation  aspect: the same as validation actions, which fail the build on findings

An action of either takes the flags with which the target compiles the source, and the headers that it may
include. The compiler itself is not run. docs/integration.md has the details.
"""

load("@rules_cc//cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

CudaPipelineToolInfo = provider(
    "The program, and what it needs beside it.",
    fields = {
        "binary": "File: cuda-pipeline-rewrite",
        "files": "depset of File: lib/clang of a static package",
    },
)

CudaPipelineOptionsInfo = provider("Options of `check`.", fields = {"options": "list of string"})

def _tool_impl(ctx):
    return [CudaPipelineToolInfo(binary = ctx.file.binary, files = depset(ctx.files.data))]

cuda_pipeline_tool = rule(
    implementation = _tool_impl,
    doc = "A cuda-pipeline-rewrite. It finds lib/clang by its own place, so it is run where it is, not through a link.",
    attrs = {
        "binary": attr.label(mandatory = True, allow_single_file = True),
        "data": attr.label_list(allow_files = True),
    },
)

def _options_impl(ctx):
    return [CudaPipelineOptionsInfo(options = ctx.build_setting_value)]

cuda_pipeline_options = rule(
    implementation = _options_impl,
    doc = "Options of `check`, as a flag of the build: --//this:options=--arch=sm_86",
    build_setting = config.string_list(flag = True),
)

def _is_cuda(file):
    return file.extension == "cu"

def _of_actions(target):
    """Of rules_cuda: the commands of its own actions, and what these read. As (source, command, inputs)."""
    found = {}
    for action in target.actions:
        if action.mnemonic != "CudaCompile" or not action.argv:
            continue
        arguments = {argument: True for argument in action.argv}
        for file in action.inputs.to_list():
            # With and without -fPIC are the same to a check.
            if _is_cuda(file) and file.path in arguments and file.path not in found:
                found[file.path] = (file, action.argv, action.inputs)
    return found.values()

def _copts(ctx):
    """Of the rule: $(NAME) is a variable of the build, and a blank separates flags."""
    flags = []
    for flag in getattr(ctx.rule.attr, "copts", []) + getattr(ctx.rule.attr, "cxxopts", []):
        for name, value in ctx.var.items():
            flag = flag.replace("$(%s)" % name, value)
        if "$(" in flag:
            fail("%s: cannot work out '%s' in copts" % (ctx.label, flag))
        flags += [part for part in flag.split(" ") if part]
    return flags

def _of_cc_rule(ctx, target):
    """Of cc_library and its like, whose actions do not tell their commands: those are put together as the rule does it."""
    sources = [file for file in getattr(ctx.rule.files, "srcs", []) if _is_cuda(file)]
    if not sources or CcInfo not in target:
        return []
    private = [dependency[CcInfo] for dependency in getattr(ctx.rule.attr, "implementation_deps", [])]
    context = cc_common.merge_cc_infos(direct_cc_infos = [target[CcInfo]], cc_infos = private).compilation_context
    toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + _copts(ctx),
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        preprocessor_defines = depset(transitive = [context.defines, target[CcInfo].compilation_context.local_defines]),
    )
    command = [cc_common.get_tool_for_action(feature_configuration = features, action_name = CPP_COMPILE_ACTION_NAME)]
    command += cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )
    inputs = depset(
        ctx.rule.files.srcs + getattr(ctx.rule.files, "hdrs", []) + getattr(ctx.rule.files, "textual_hdrs", []),
        transitive = [context.headers, toolchain.all_files],
    )
    return [(source, command, inputs) for source in sources]

def _check(ctx, target, gate):
    """An action per source; their reports."""
    tool = ctx.attr._tool[CudaPipelineToolInfo]
    options = ctx.attr._options[CudaPipelineOptionsInfo].options

    # A toolkit of the machine is no input.
    if not [option for option in options if option.startswith("--cuda-path")]:
        options = options + ["--cuda-path=none"]
    reports = []
    for source, command, inputs in _of_actions(target) or _of_cc_rule(ctx, target):
        name = "_cuda_pipeline/%s/%s" % (target.label.name, source.short_path.replace("../", ""))
        if not gate:
            name += ".report"
        outputs = [ctx.actions.declare_file(name + extension) for extension in [".json", ".sarif"]]
        arguments = ctx.actions.args()
        arguments.add("check")
        arguments.add(source)
        arguments.add("-q")
        arguments.add("--progress=never")

        # A configuration of the machine is no input either.
        arguments.add("--config=none")
        if not gate:
            arguments.add("--exit-zero")
        arguments.add_all(outputs, format_each = "--report=%s")
        arguments.add_all(options)
        arguments.add("--")
        arguments.add_all(command)
        ctx.actions.run(
            executable = tool.binary,
            tools = tool.files,
            inputs = depset([source], transitive = [inputs]),
            outputs = outputs,
            arguments = [arguments],
            mnemonic = "CudaPipelineCheck",
            progress_message = "Checking the tile loops of " + source.short_path,
        )
        reports += outputs
    return depset(reports)

def _report_impl(target, ctx):
    return [OutputGroupInfo(cuda_pipeline_report = _check(ctx, target, gate = False))]

def _validation_impl(target, ctx):
    return [OutputGroupInfo(_validation = _check(ctx, target, gate = True))]

def _aspect(implementation, doc):
    return aspect(
        implementation = implementation,
        doc = doc,
        attrs = {
            # Files that are there, not built: in the configuration in which flags name them.
            "_tool": attr.label(default = ":tool", providers = [CudaPipelineToolInfo]),
            "_options": attr.label(default = ":options", providers = [CudaPipelineOptionsInfo]),
            "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        },
        fragments = ["cpp"],
        toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    )

cuda_pipeline_report = _aspect(
    _report_impl,
    "--aspects=//this:cuda_pipeline.bzl%cuda_pipeline_report --output_groups=cuda_pipeline_report",
)

cuda_pipeline_validation = _aspect(
    _validation_impl,
    "--aspects=//this:cuda_pipeline.bzl%cuda_pipeline_validation",
)
