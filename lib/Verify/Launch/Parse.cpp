//===- Parse.cpp - Launch descriptions from YAML --------------------------===//
//
// Part of cuda-pipeline-rewrite, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// In two steps: LLVM's YAML nodes, which exist only while they are being read, become a tree of
/// texts with lines; the tree becomes a LaunchDescription. Everything that can be wrong without
/// looking at the kernel is found here, expressions included.
///
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;
using namespace cuda_pipeline;
using namespace cuda_pipeline::launch;

namespace {

struct Tree {
  enum Kind { Null, Scalar, List, Map } K = Null;
  unsigned Line = 0;
  std::string Text;
  std::vector<std::pair<Tree, Tree>> Entries; ///< Map: key (a scalar) and value
  std::vector<Tree> Items;                    ///< List
};

//===----------------------------------------------------------------------===//
// YAML -> Tree
//===----------------------------------------------------------------------===//

class TreeReader {
public:
  TreeReader(StringRef Text, StringRef File) : File(File), Buffer(Text), YAML(Text, SM, false) {
    SM.setDiagHandler(
        [](const SMDiagnostic &D, void *Self) {
          auto &R = *static_cast<TreeReader *>(Self);
          if (!R.FirstError.empty())
            return;
          // The two ways in which an expression is taken for syntax.
          StringRef Line = D.getLineContents(), Hint;
          if (Line.contains('?'))
            Hint = "; an expression with ?: needs quotes";
          else if (Line.contains('*') || Line.contains('&') || Line.contains('!'))
            Hint = "; an expression that begins with an operator needs quotes";
          R.FirstError =
              formatv("{0}:{1}: not YAML: {2}{3}", R.File, D.getLineNo(), D.getMessage(), Hint)
                  .str();
        },
        this);
  }

  Expected<std::vector<Tree>> read() {
    std::vector<Tree> Documents;
    for (yaml::document_iterator I = YAML.begin(), E = YAML.end(); I != E; ++I) {
      yaml::Node *Root = I->getRoot();
      if (!Root || YAML.failed())
        break;
      Tree T = convert(Root, 0);
      if (YAML.failed() || !FirstError.empty())
        break;
      if (T.K != Tree::Null)
        Documents.push_back(std::move(T));
    }
    if (!FirstError.empty())
      return createStringError(FirstError);
    if (YAML.failed())
      return createStringError(formatv("{0}:1: not YAML", File).str());
    return Documents;
  }

private:
  StringRef File, Buffer;
  SourceMgr SM;
  yaml::Stream YAML;
  std::string FirstError;

  unsigned line(const char *Place) const {
    if (Place < Buffer.begin() || Place > Buffer.end())
      return 1;
    return 1 + StringRef(Buffer.begin(), Place - Buffer.begin()).count('\n');
  }

  Tree fail(yaml::Node *N, const Twine &What) {
    if (FirstError.empty())
      FirstError =
          formatv("{0}:{1}: {2}", File, line(N->getSourceRange().Start.getPointer()), What.str())
              .str();
    return {};
  }

  // The source text of a scalar that is not quoted.
  static std::optional<StringRef> plain(yaml::Node *N) {
    auto *S = dyn_cast_or_null<yaml::ScalarNode>(N);
    if (!S || S->getRawValue().starts_with("\"") || S->getRawValue().starts_with("'"))
      return std::nullopt;
    return S->getRawValue();
  }

  static constexpr StringLiteral Alias =
      "'*' at the start of a value is a YAML alias; put the expression in quotes";

  static bool open(StringRef Text) { return Text.count('(') > Text.count(')'); }

  Tree convert(yaml::Node *N, unsigned Depth) {
    Tree T;
    if (!N)
      return T;
    T.Line = line(N->getSourceRange().Start.getPointer());
    if (Depth > 16)
      return fail(N, "nested too deeply");
    if (auto *S = dyn_cast<yaml::ScalarNode>(N)) {
      SmallString<32> Storage;
      T.K = Tree::Scalar;
      T.Text = S->getValue(Storage).trim().str();
      // YAML's ways to write nothing. NullNode is only the empty one.
      if (plain(N) && (T.Text == "null" || T.Text == "~"))
        T.K = Tree::Null;
    } else if (auto *S = dyn_cast<yaml::BlockScalarNode>(N)) {
      T.K = Tree::Scalar;
      T.Text = S->getValue().trim().str();
    } else if (auto *M = dyn_cast<yaml::MappingNode>(N)) {
      convertMap(*M, Depth, T);
    } else if (auto *S = dyn_cast<yaml::SequenceNode>(N)) {
      convertList(*S, Depth, T);
    }
    return T;
  }

  // A comma ends a value inside { } and [ ], which nobody expects within parentheses:
  // `{fill: uniform(-1, 1)}` is, for YAML, `fill: "uniform(-1"` and a key `1)` without a value.
  // Such pieces are put together again. No other reading of them would make sense here.
  void convertMap(yaml::MappingNode &M, unsigned Depth, Tree &T) {
    T.K = Tree::Map;
    std::optional<StringRef> Open;
    for (yaml::KeyValueNode &Entry : M) {
      yaml::Node *Key = Entry.getKey();
      std::optional<StringRef> KeyText = plain(Key);
      Tree K = convert(Key, Depth + 1);
      yaml::Node *Value = Entry.getValue();
      if (Open && KeyText && isa_and_nonnull<yaml::NullNode>(Value)) {
        Open = StringRef(Open->begin(), KeyText->end() - Open->begin());
        T.Entries.back().second.Text = Open->str();
        if (!open(*Open))
          Open.reset();
        continue;
      }
      if (isa_and_nonnull<yaml::AliasNode>(Value)) {
        fail(Key ? Key : &M, Alias);
        return;
      }
      std::optional<StringRef> ValueText = plain(Value);
      Open = ValueText && open(*ValueText) ? ValueText : std::nullopt;
      Tree V = convert(Value, Depth + 1);
      if (K.K != Tree::Scalar) {
        fail(Key ? Key : &M, "a key must be a word");
        return;
      }
      // An empty value has the place of what comes next, and so has an alias.
      if (V.K == Tree::Null)
        V.Line = K.Line;
      for (const auto &[Earlier, Unused] : T.Entries)
        if (Earlier.Text == K.Text) {
          fail(Key, "'" + K.Text + "' is there twice; the first is in line " + Twine(Earlier.Line));
          return;
        }
      T.Entries.emplace_back(std::move(K), std::move(V));
    }
  }

  void convertList(yaml::SequenceNode &S, unsigned Depth, Tree &T) {
    T.K = Tree::List;
    std::optional<StringRef> Open;
    for (yaml::Node &Item : S) {
      std::optional<StringRef> Text = plain(&Item);
      if (Open && Text) {
        Open = StringRef(Open->begin(), Text->end() - Open->begin());
        T.Items.back().Text = Open->str();
        if (!open(*Open))
          Open.reset();
        continue;
      }
      if (isa<yaml::AliasNode>(Item)) {
        fail(&S, Alias);
        return;
      }
      Open = Text && open(*Text) ? Text : std::nullopt;
      T.Items.push_back(convert(&Item, Depth + 1));
    }
  }
};

//===----------------------------------------------------------------------===//
// Tree -> LaunchDescription
//===----------------------------------------------------------------------===//

using Expression = LaunchDescription::Expression;

/// Reads one document. The first error stops everything: `Message` is then set.
class DescriptionReader {
public:
  explicit DescriptionReader(StringRef File) : File(File) {}

  Expected<LaunchDescription> read(const Tree &Root) {
    D.File = File.str();
    D.Line = Root.Line;
    if (Root.K != Tree::Map)
      fail(Root.Line, "a launch description is a mapping that begins with 'kernel: NAME'");
    else
      readTop(Root);
    if (!Message.empty())
      return createStringError(Message);
    return std::move(D);
  }

private:
  StringRef File;
  LaunchDescription D;
  Names Known;
  std::string Message;

  bool failed() const { return !Message.empty(); }

  void fail(unsigned Line, const Twine &What) {
    if (!failed())
      Message = formatv("{0}:{1}: {2}", File, Line, What.str()).str();
  }

  // Every key of \p Map is in \p Keys, which is sorted for the message.
  void checkKeys(const Tree &Map, StringRef What, ArrayRef<StringLiteral> Keys) {
    for (const auto &[Key, Value] : Map.Entries)
      if (!is_contained(Keys, Key.Text))
        fail(Key.Line,
             formatv("'{0}' is no key of {1}; known are {2}", Key.Text, What, join(Keys, ", "))
                 .str());
  }

  static const Tree *find(const Tree &Map, StringRef Key) {
    for (const auto &[K, Value] : Map.Entries)
      if (K.Text == Key)
        return &Value;
    return nullptr;
  }

  std::string word(const Tree &T, StringRef Key) {
    if (T.K != Tree::Scalar || T.Text.empty())
      fail(T.Line, "'" + Key + "' needs a word");
    return T.Text;
  }

  Expression expression(const Tree &T, StringRef Key) {
    Expression E{T.Text, T.Line};
    if (T.K == Tree::Map)
      fail(T.Line, "'" + Key + "' needs an expression; one with ?: needs quotes");
    else if (T.K != Tree::Scalar)
      fail(T.Line, "'" + Key + "' needs an expression");
    else if (Error Err = checkExpression(T.Text, Known))
      fail(T.Line, "'" + Key + "': " + toString(std::move(Err)));
    return E;
  }

  void readTop(const Tree &Root) {
    checkKeys(Root, "a launch description",
              {"arguments", "block", "bytes", "cases", "flops", "globals", "grid", "kernel", "let",
               "new_shared", "shared", "unit"});
    const Tree *Kernel = find(Root, "kernel");
    if (!Kernel)
      return fail(Root.Line,
                  "'kernel' is missing: the name as in a launch, such as gemm<float, 32>");
    D.Kernel = word(*Kernel, "kernel");
    D.Line = Kernel->Line;
    // Names first, whatever the order in the file.
    readCases(find(Root, "cases"));
    if (const Tree *Let = find(Root, "let"))
      readLet(*Let);
    D.Grid = extents(Root, "grid");
    D.Block = extents(Root, "block");
    if (const Tree *Shared = find(Root, "shared"))
      D.Shared = expression(*Shared, "shared");
    else
      D.Shared = {"0", D.Line};
    if (const Tree *Shared = find(Root, "new_shared"))
      D.NewShared = expression(*Shared, "new_shared");
    if (const Tree *Flops = find(Root, "flops"))
      D.Flops = expression(*Flops, "flops");
    if (const Tree *Moved = find(Root, "bytes"))
      D.Bytes = expression(*Moved, "bytes");
    if (const Tree *Unit = find(Root, "unit")) {
      D.Unit = word(*Unit, "unit");
      if (!is_contained({"fp32", "fp64", "tensor", "int8"}, D.Unit))
        fail(Unit->Line, "'" + D.Unit + "' is no unit; known are fp32, fp64, tensor, int8");
      else if (!D.Flops)
        fail(Unit->Line, "'unit' says what makes the operations of 'flops', which is missing");
    }
    if (const Tree *Arguments = find(Root, "arguments"))
      readArguments(*Arguments);
    if (const Tree *Globals = find(Root, "globals"))
      readGlobals(*Globals);
  }

  void readCases(const Tree *Cases) {
    if (!Cases) {
      D.Cases.emplace_back();
      return;
    }
    if (Cases->K != Tree::List || Cases->Items.empty())
      return fail(Cases->Line, "'cases' is a list with a line for each case, such as "
                               "'- {N: 128, K: 32}'");
    for (const Tree &Case : Cases->Items) {
      if (Case.K != Tree::Map)
        return fail(Case.Line,
                    "a case is a list of names with their values, such as {N: 128, K: 32}");
      std::vector<std::pair<std::string, int64_t>> Values;
      for (const auto &[Name, Value] : Case.Entries) {
        if (!isName(Name.Text))
          return fail(Name.Line, "'" + Name.Text +
                                     "' can be no name: letters, digits and _, and not "
                                     "min, max or ceildiv");
        if (Value.K != Tree::Scalar)
          return fail(Value.Line, "'" + Name.Text + "' needs an integer");
        Expected<int64_t> Number = evaluateExpression(Value.Text, Names());
        if (!Number)
          return fail(Value.Line,
                      "'" + Name.Text + "' needs an integer: " + toString(Number.takeError()));
        Values.emplace_back(Name.Text, *Number);
      }
      if (D.Cases.empty()) {
        for (const auto &[Name, Value] : Values)
          Known[Name] = Value;
      } else {
        // All cases define the same names, so that every expression means something in all.
        for (const auto &[Name, Value] : Values)
          if (!Known.contains(Name))
            return fail(Case.Line,
                        "this case defines '" + Name + "', which the first case does not");
        if (Values.size() != Known.size())
          for (const auto &[Name, Value] : D.Cases.front())
            if (none_of(Values, [&Name = Name](const auto &V) { return V.first == Name; }))
              return fail(Case.Line,
                          "this case lacks '" + Name + "', which the first case defines");
      }
      D.Cases.push_back(std::move(Values));
    }
  }

  void readLet(const Tree &Let) {
    if (Let.K != Tree::Map)
      return fail(Let.Line, "'let' is a list of names with expressions, such as 'tiles: N / 32'");
    for (const auto &[Name, Value] : Let.Entries) {
      if (!isName(Name.Text))
        return fail(Name.Line, "'" + Name.Text +
                                   "' can be no name: letters, digits and _, and not "
                                   "min, max or ceildiv");
      if (Known.contains(Name.Text))
        return fail(Name.Line, "'" + Name.Text + "' is already defined by the cases");
      Expression E = expression(Value, Name.Text);
      if (failed())
        return;
      D.Let.emplace_back(Name.Text, std::move(E));
      Known[Name.Text] = 0;
    }
  }

  std::vector<Expression> extents(const Tree &Root, StringRef Key) {
    std::vector<Expression> Result;
    const Tree *T = find(Root, Key);
    if (!T) {
      fail(D.Line, "'" + Key + "' is missing: one to three expressions, such as [N / 32, 4]");
      return Result;
    }
    if (T->K == Tree::Scalar) {
      Result.push_back(expression(*T, Key));
      return Result;
    }
    if (T->K != Tree::List || T->Items.empty() || T->Items.size() > 3) {
      fail(T->Line, "'" + Key + "' needs one to three expressions, such as [N / 32, 4]");
      return Result;
    }
    for (const Tree &Item : T->Items)
      Result.push_back(expression(Item, Key));
    return Result;
  }

  void readArguments(const Tree &Arguments) {
    if (Arguments.K == Tree::Null) // a kernel without parameters
      return;
    if (Arguments.K != Tree::List)
      return fail(Arguments.Line, "'arguments' is a list with a line for each parameter, such as "
                                  "'- {name: A, buffer: float, count: N, role: input}'");
    for (const Tree &A : Arguments.Items) {
      if (A.K != Tree::Map)
        return fail(A.Line, "an argument is a mapping, such as "
                            "{name: A, buffer: float, count: N, role: input}");
      readArgument(A);
      if (failed())
        return;
    }
    for (const LaunchDescription::Argument &A : D.Arguments)
      checkSameAs(A);
  }

  void checkSameAs(const LaunchDescription::Argument &A) {
    if (A.SameAs.empty())
      return;
    auto Other =
        find_if(D.Arguments, [&](const auto &O) { return O.Name == A.SameAs && &O != &A; });
    if (Other == D.Arguments.end())
      fail(A.Line, "same_as: there is no other argument with the name '" + A.SameAs + "'");
    else if (!Other->IsBuffer || Other->Null || !Other->SameAs.empty())
      fail(A.Line, "same_as: '" + A.SameAs + "' is no buffer of its own");
  }

  void readArgument(const Tree &T) {
    LaunchDescription::Argument A;
    A.Line = T.Line;
    checkKeys(T, "an argument",
              {"buffer", "count", "fields", "fill", "name", "offset", "role", "same_as", "scalar",
               "value"});
    if (failed())
      return;
    const Tree *Buffer = find(T, "buffer"), *SameAs = find(T, "same_as"),
               *Scalar = find(T, "scalar"), *Value = find(T, "value"), *Fields = find(T, "fields");
    if (const Tree *Name = find(T, "name")) {
      A.Name = word(*Name, "name");
      for (const LaunchDescription::Argument &Earlier : D.Arguments)
        if (Earlier.Name == A.Name)
          fail(Name->Line, "there are two arguments with the name '" + A.Name + "'");
    }
    const int Forms = !!Buffer + !!SameAs + (Scalar || Value) + !!Fields;
    if (Forms != 1)
      return fail(T.Line,
                  "an argument has one of 'buffer: TYPE', 'same_as: NAME', 'value: ...' and "
                  "'fields: [...]'" +
                      Twine(Forms ? ", not several of them" : ""));
    // Keys that the chosen form does not have would be without effect, so they are errors.
    auto only = [&](StringRef Form, ArrayRef<StringLiteral> Keys) {
      for (const auto &[Key, Unused] : T.Entries)
        if (Key.Text != "name" && !is_contained(Keys, Key.Text))
          fail(Key.Line, "'" + Key.Text + "' does not go with " + Form);
    };
    if (Buffer && Buffer->K == Tree::Null) {
      only("'buffer: null'", {"buffer"});
      A.IsBuffer = A.Null = true;
    } else if (Buffer) {
      only("'buffer'", {"buffer", "count", "offset", "role", "fill"});
      readBuffer(T, *Buffer, A);
    } else if (SameAs) {
      only("'same_as'", {"same_as", "offset"});
      A.IsBuffer = true;
      A.SameAs = word(*SameAs, "same_as");
    } else if (Fields) {
      only("'fields'", {"fields"});
      readFields(*Fields, A);
    } else {
      only("'value'", {"scalar", "value"});
      if (Scalar)
        A.TypeName = typeName(*Scalar, "scalar");
      if (!Value)
        return fail(T.Line, "'value' is missing");
      readValues(*Value, A.TypeName, A.Values);
    }
    if (const Tree *Offset = find(T, "offset"); Offset && !failed())
      A.Offset = expression(*Offset, "offset");
    else
      A.Offset = {"0", A.Line};
    D.Arguments.push_back(std::move(A));
  }

  std::string typeName(const Tree &T, StringRef Key) {
    std::string Name = word(T, Key);
    if (!failed() && !elementType(Name))
      fail(T.Line, "'" + Key + "': '" + Name + "' is no known type; known are " + knownTypes());
    return Name;
  }

  void readBuffer(const Tree &T, const Tree &Buffer, LaunchDescription::Argument &A) {
    A.IsBuffer = true;
    A.TypeName = typeName(Buffer, "buffer");
    if (const Tree *Count = find(T, "count"))
      A.Count = expression(*Count, "count");
    else
      fail(T.Line, "'count' is missing: the number of elements");
    if (const Tree *Role = find(T, "role")) {
      std::string Word = word(*Role, "role");
      if (Word == "input")
        A.Role = BufferRole::Input;
      else if (Word == "output")
        A.Role = BufferRole::Output;
      else if (Word != "inout")
        fail(Role->Line, "'" + Word + "' is no role; known are input, output, inout");
    }
    if (const Tree *Fill = find(T, "fill")) {
      readFill(*Fill, A.TypeName, A.Contents);
      if (A.Role == BufferRole::Output && A.Contents.K != BufferFill::Kind::Poison)
        fail(Fill->Line,
             "an output starts poisoned, so it has no fill; a buffer whose contents the "
             "kernel reads has the role inout");
    } else if (A.Role == BufferRole::Output) {
      A.Contents.K = BufferFill::Kind::Poison;
    }
  }

  // A floating-point literal or an expression; \p Floating: whether literals make sense.
  void checkValue(StringRef Text, unsigned Line, StringRef Key, bool Floating) {
    if (Floating && floatLiteral(Text))
      return;
    if (Text == "true" || Text == "false")
      return;
    uint64_t Large; // uint64_t has values above the range of expressions
    if (!Text.getAsInteger(0, Large))
      return;
    if (Error E = checkExpression(Text, Known))
      fail(Line, "'" + Key + "': " + toString(std::move(E)));
  }

  void readValues(const Tree &T, StringRef TypeName, std::vector<Expression> &Values) {
    std::optional<ElementType> Type = elementType(TypeName);
    const bool Floating = !Type || isFloating(Type->Base);
    const size_t Lanes = Type && Type->Base != ElementType::Kind::Bytes ? Type->Lanes : 1;
    if (T.K == Tree::List) {
      for (const Tree &Item : T.Items) {
        if (Item.K != Tree::Scalar)
          return fail(Item.Line, "'value' needs a number or an expression");
        checkValue(Item.Text, Item.Line, "value", Floating);
        Values.push_back({Item.Text, Item.Line});
      }
      if (Type && Values.size() != Lanes)
        fail(T.Line, "'value' has " + Twine(Values.size()) + " components, " + TypeName + " has " +
                         Twine(Lanes));
      return;
    }
    if (T.K != Tree::Scalar)
      return fail(T.Line, "'value' needs a number or an expression");
    if (Lanes != 1)
      return fail(T.Line, "'value' of a " + TypeName + " is a list of " + Twine(Lanes) +
                              " components, such as [1, 2]");
    checkValue(T.Text, T.Line, "value", Floating);
    Values.push_back({T.Text, T.Line});
  }

  void readFields(const Tree &Fields, LaunchDescription::Argument &A) {
    if (Fields.K != Tree::List || Fields.Items.empty())
      return fail(Fields.Line, "'fields' is a list of the struct's members, such as "
                               "[{scalar: int, value: N}, {scalar: float, value: 0.5}]");
    for (const Tree &F : Fields.Items) {
      if (F.K != Tree::Map)
        return fail(F.Line, "a field is a mapping, such as {scalar: int, value: N}");
      checkKeys(F, "a field", {"scalar", "value"});
      const Tree *Scalar = find(F, "scalar"), *Value = find(F, "value");
      if (!Scalar || !Value)
        return fail(F.Line, "a field has 'scalar: TYPE' and 'value: ...'");
      LaunchDescription::Field Field;
      Field.TypeName = typeName(*Scalar, "scalar");
      if (failed())
        return;
      readValues(*Value, Field.TypeName, Field.Values);
      A.Fields.push_back(std::move(Field));
    }
  }

  void readFill(const Tree &T, StringRef TypeName, LaunchDescription::Fill &F) {
    using Kind = BufferFill::Kind;
    static constexpr StringLiteral KnownFills =
        "random, uniform(LOW, HIGH), index, index(START), value(X), a number, poison";
    if (T.K != Tree::Scalar)
      return fail(T.Line, "'fill' needs one of " + Twine(KnownFills));
    std::optional<ElementType> Type = elementType(TypeName);
    if (!Type)
      return; // reported already
    StringRef Word = T.Text, Parameters;
    bool Parentheses = false;
    if (Word.ends_with(")") && Word.contains('(') && isName(Word.split('(').first.trim())) {
      std::tie(Word, Parameters) = Word.drop_back().split('(');
      Word = Word.trim();
      Parentheses = true;
    }
    SmallVector<StringRef> Parts = arguments(Parameters);
    auto need = [&](size_t Count) {
      if (Parts.size() != Count)
        fail(T.Line, "'fill': " + Word + " takes " + Twine(Count) + " value" +
                         (Count == 1 ? "" : "s") + ", not " + Twine(Parts.size()));
    };
    F.Low = F.High = {"0", T.Line};
    if (Word == "random" || Word == "poison") {
      F.K = Word == "random" ? Kind::Random : Kind::Poison;
      if (Parentheses)
        fail(T.Line, "'fill': " + Word + " takes no values");
      return;
    }
    if (Word == "uniform" && Parentheses) {
      F.K = Kind::Uniform;
      need(2);
    } else if (Word == "index") {
      F.K = Kind::Index;
      if (Parentheses)
        need(1);
    } else if (Word == "value" && Parentheses) {
      F.K = Kind::Value;
      need(1);
    } else if (floatLiteral(Word)) {
      F.K = Kind::Value;
      Parts = {Word};
    } else {
      return fail(T.Line, "'" + T.Text + "' is no fill; known are " + KnownFills);
    }
    if (failed())
      return;
    if (Type->Base == ElementType::Kind::Bytes && T.Text != "0")
      return fail(T.Line, "'fill': bytes can be random, poison or 0; for other contents give the "
                          "buffer the type of the struct's members");
    const bool Floating = isFloating(Type->Base);
    for (auto [Part, To] : zip(Parts, std::array<Expression *, 2>{&F.Low, &F.High})) {
      *To = {Part.str(), T.Line};
      if (!Floating && floatLiteral(Part) && Part.find_first_of(".in") != StringRef::npos)
        return fail(T.Line, "'fill': " + Part + " is no value of " + TypeName);
      checkValue(Part, T.Line, "fill", Floating);
    }
  }

  // The parts between commas that are in no parentheses.
  static SmallVector<StringRef> arguments(StringRef Text) {
    SmallVector<StringRef> Parts;
    if (Text.trim().empty())
      return Parts;
    int Depth = 0;
    size_t Start = 0;
    for (size_t I = 0; I <= Text.size(); ++I) {
      if (I == Text.size() || (Text[I] == ',' && Depth == 0)) {
        Parts.push_back(Text.slice(Start, I).trim());
        Start = I + 1;
      } else {
        Depth += (Text[I] == '(') - (Text[I] == ')');
      }
    }
    return Parts;
  }

  void readGlobals(const Tree &Globals) {
    if (Globals.K != Tree::List)
      return fail(Globals.Line, "'globals' is a list, such as "
                                "'- {name: coefficients, type: float, fill: uniform(-1, 1)}'");
    for (const Tree &T : Globals.Items) {
      if (T.K != Tree::Map)
        return fail(T.Line, "a global is a mapping, such as "
                            "{name: coefficients, type: float, fill: uniform(-1, 1)}");
      checkKeys(T, "a global", {"fill", "name", "type"});
      const Tree *Name = find(T, "name"), *Type = find(T, "type"), *Fill = find(T, "fill");
      if (!Name || !Type)
        return fail(T.Line, "a global has 'name: NAME' and 'type: TYPE', that of its elements");
      LaunchDescription::Global G;
      G.Line = T.Line;
      G.Name = word(*Name, "name");
      G.TypeName = typeName(*Type, "type");
      for (const LaunchDescription::Global &Earlier : D.Globals)
        if (Earlier.Name == G.Name)
          fail(Name->Line, "there are two globals with the name '" + G.Name + "'");
      if (Fill)
        readFill(*Fill, G.TypeName, G.Contents);
      if (failed())
        return;
      D.Globals.push_back(std::move(G));
    }
  }
};

} // namespace

Expected<std::vector<LaunchDescription>> cuda_pipeline::parseLaunch(StringRef Text,
                                                                    StringRef File) {
  // A file from another system may open with a byte order mark, which LLVM's reader takes for text.
  Text.consume_front("\xef\xbb\xbf");
  Expected<std::vector<Tree>> Documents = TreeReader(Text, File).read();
  if (!Documents)
    return Documents.takeError();
  std::vector<LaunchDescription> Result;
  for (const Tree &Document : *Documents) {
    Expected<LaunchDescription> D = DescriptionReader(File).read(Document);
    if (!D)
      return D.takeError();
    Result.push_back(std::move(*D));
  }
  if (Result.empty())
    return createStringError(
        formatv("{0}:1: there is no launch description in this file; --emit-launch writes one",
                File)
            .str());
  return Result;
}
