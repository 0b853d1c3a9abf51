import SeededRandom

/// Changes that leave JSON mostly valid, so they reach the rules behind the parser.
struct TreeMutation {
    var random: Seeded
    let donors: [JSONTree]

    /// Walks down to some node and changes it there.
    mutating func change(_ tree: inout JSONTree, depth: Int = 0) {
        switch tree {
        case .object(var members) where !members.isEmpty && !random.chance(min(depth, 1) * 15):
            changeMembers(&members, depth)
            tree = .object(members)
        case .array(var elements) where !elements.isEmpty && !random.chance(depth == 1 ? 1 : 10):
            changeElements(&elements, depth)
            tree = .array(elements)
        default:
            tree = random.chance(85) ? .token(random.pick(Words.tokens)) : part(of: random.pick(donors))
        }
    }

    private mutating func changeMembers(_ members: inout [(key: [UInt8], value: JSONTree)], _ depth: Int) {
        var position = random.below(members.count)
        if depth == 0, random.chance(85) {
            // Mostly the events, because a broken envelope hides them.
            let events = Array("\"events\"".utf8)
            position = members.firstIndex { $0.key == events } ?? position
            return change(&members[position].value, depth: 1)
        }
        switch random.below(20) {
        case 0: members.remove(at: position)
        case 1: members.append((members[position].key, .token(random.pick(Words.tokens))))
        case 2: members.insert((members[position].key, .token(random.pick(Words.tokens))), at: position)
        case 3: members[position].key = random.pick(Words.keys)
        case 4: members.append((random.pick(Words.keys), .token(random.pick(Words.tokens))))
        case 5: members.swapAt(position, random.below(members.count))
        case 6: members[position].value = part(of: random.pick(donors))
        default: change(&members[position].value, depth: depth + 1)
        }
    }

    private mutating func changeElements(_ elements: inout [JSONTree], _ depth: Int) {
        let position = random.below(elements.count)
        switch random.below(16) {
        case 0: elements.remove(at: position)
        case 1: elements.append(elements[position])
        case 2: elements.append(.token(random.pick(Words.tokens)))
        case 3: elements.swapAt(position, random.below(elements.count))
        case 4: elements[position] = .array([elements[position]])
        case 5 where random.chance(2):
            // Now and then past the limits of the contract.
            elements = Array(repeating: elements[position], count: 998 + random.below(5))
        default: change(&elements[position], depth: depth + 1)
        }
    }

    private mutating func part(of tree: JSONTree) -> JSONTree {
        switch tree {
        case .object(let members) where !members.isEmpty && random.chance(85):
            return part(of: random.pick(members).value)
        case .array(let elements) where !elements.isEmpty && random.chance(80): return part(of: random.pick(elements))
        default: return tree
        }
    }
}
